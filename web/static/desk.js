// The clock's page: how far this device is from the box, and its time for the box.
"use strict";
(function () {
  var form = document.getElementById("device");
  if (!form) return;
  var say = form.dataset, units = say.units.split(",");
  var began = Number(say.now) * 1000;
  function told(ms) {
    var s = Math.abs(ms) / 1000;
    var steps = [[86400, 3], [3600, 2], [60, 1], [1, 0]];
    for (var i = 0; i < steps.length; i++) {
      if (s >= 2 * steps[i][0] || i === 3) return Math.round(s / steps[i][0]) + " " + units[steps[i][1]];
    }
  }
  var difference = Date.now() - began;
  var near = Math.abs(difference) < 30000;
  form.querySelector(".difference").textContent = near ? say.same
    : (difference > 0 ? say.ahead : say.behind).replace("{n}", told(difference));
  form.querySelector("button").hidden = difference < 0;
  form.hidden = false;
  form.addEventListener("submit", function () {
    form.elements.seconds.value = Math.floor(Date.now() / 1000);
  });
})();
