// On the box's own screen, in each page: the buttons that its browser has not, and the way back to the start once
// nobody has touched the screen for a while. In a frame it only tells the page around it of touches.
(function () {
  "use strict";
  var say = document.currentScript.dataset, quiet = say.seconds * 1000;
  var ASK = Math.min(20000, quiet / 2), TELL = 20000, LIFE = 60000, LONGEST = 300000; // ms, see below
  var touched = performance.now(), told = touched, used = false, question = null;

  function touch() {
    if (window.top !== window) return window.top.dispatchEvent(new Event("lamplight-touch"));
    touched = performance.now();
    used = true;
    if (question) question.hidden = true;
    if (touched - told > TELL) tell();
  }
  function tell() { // the server ends a visit of which it hears nothing; a redirect says that it is over
    told = performance.now();
    fetch("/kiosk/here", { method: "POST", redirect: "manual" }).then(function (reply) {
      if (reply.type === "opaqueredirect") again();
    }, function () {});
  }
  ["pointerdown", "keydown", "input", "wheel", "touchmove", "lamplight-touch"].forEach(function (name) {
    addEventListener(name, touch, { capture: true, passive: true });
  });
  if (window.top !== window) return;

  function again() { location.replace(say.start); }
  function look() {
    var now = performance.now(), since = now - touched;
    if (!used && location.pathname === "/") { // the start as it was opened: there is nothing to go back from
      if (now - told > LIFE) tell();
    } else if (document.readyState === "loading" && since < LONGEST) { // an answer is written: somebody waits
      if (now - told > TELL) tell();
    } else if (since >= quiet) {
      again();
    } else if (question) {
      question.hidden = since < quiet - ASK;
    }
  }
  setInterval(look, Math.min(1000, quiet / 10));

  function make(kind, parent, name, text) {
    var made = parent.appendChild(document.createElement(kind));
    made.className = name;
    if (text) made.textContent = text;
    return made;
  }
  function button(parent, text, act) {
    var made = make("button", parent, "lamplight-button", text);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  }
  function build() {
    if (!document.body) return requestAnimationFrame(build);
    var bar = make("div", document.body, "lamplight-bar");
    bar.dir = say.dir;
    button(bar, say.back, function () { history.back(); }).classList.add("lamplight-back");
    button(bar, say.keyboard, function () { dispatchEvent(new Event("lamplight-keyboard")); });
    button(bar, say.again, again);
    question = make("div", document.body, "lamplight-question");
    question.dir = say.dir;
    question.setAttribute("role", "alert");
    question.hidden = true;
    make("p", question, "", say.soon);
    button(question, say.more, touch);
  }
  build();
})();
