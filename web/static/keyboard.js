// A keyboard on the box's own screen: it comes when a text field is touched, or by its button in the bar. The
// window of that screen has no room for another program's keyboard (docs/decisions/0009-the-boxs-own-screen.md).
(function () {
  "use strict";
  var say = document.currentScript.dataset;
  var LATIN = ["1234567890", "qwertyuiop", "asdfghjkl'", "zxcvbnm,.?"];
  var LAYOUTS = {
    en: ["en", LATIN],
    fr: ["fr", ["1234567890", "azertyuiop", "qsdfghjklm", "wxcvbn'éèêçà?"]],
    es: ["es", ["1234567890", "qwertyuiop", "asdfghjklñ", "zxcvbnmáéíóúü¿?"]],
    ar: ["ع", ["1234567890", "ضصثقفغعهخحجد", "شسيبلاتنمكطذ", "ئءؤرىةوزظإأآ؟"]],
    hi: ["हि", ["अआइईउऊऋएऐओऔ", "ािीुूृेैोौंँः्", "कखगघङचछजझञटठड", "ढणतथदधनपफबभमय", "रलवशषसह़ळ।?"]]
  };
  var order = Object.keys(LAYOUTS), language = LAYOUTS[say.language] ? say.language : "en";
  var board = null, field = null, capital = false;

  function writes(node) {
    return node && node.matches && node.matches("input:not([type]), input[type=text], input[type=search], textarea");
  }
  function put(text) {
    if (!field || !field.isConnected) return;
    field.focus();
    field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function erase() {
    if (!field || !field.isConnected) return;
    if (field.selectionStart === field.selectionEnd) {
      field.selectionStart = Math.max(0, field.selectionStart - 1);
    }
    put("");
  }
  function send() {
    if (field && field.form) field.form.requestSubmit();
    hide();
  }
  function key(row, shown, act, name, label) {
    var made = row.appendChild(document.createElement("button"));
    made.type = "button";
    made.tabIndex = -1;
    made.className = "lamplight-key" + (name ? " lamplight-" + name : "");
    // a sign that joins another letter is shown beside a circle that stands for it
    made.textContent = /^\p{M}/u.test(shown) ? "\u25cc" + shown : shown;
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("pointerdown", function (event) { event.preventDefault(); act(); });
    return made;
  }
  function row() {
    var made = board.appendChild(document.createElement("div"));
    made.className = "lamplight-row";
    return made;
  }
  function draw() {
    board.textContent = "";
    LAYOUTS[language][1].forEach(function (letters) {
      var line = row();
      Array.from(letters).forEach(function (letter) {
        var text = capital ? letter.toUpperCase() : letter;
        key(line, text, function () {
          put(text);
          if (capital) { capital = false; draw(); }
        });
      });
    });
    var last = row();
    if (LAYOUTS[language][1][1].toUpperCase() !== LAYOUTS[language][1][1]) {
      key(last, "⇧", function () { capital = !capital; draw(); }, capital ? "wide lamplight-on" : "wide", say.shift);
    }
    key(last, LAYOUTS[order[(order.indexOf(language) + 1) % order.length]][0], function () {
      language = order[(order.indexOf(language) + 1) % order.length];
      capital = false;
      draw();
    }, "wide");
    key(last, say.space, function () { put(" "); }, "space");
    key(last, "⌫", erase, "wide", say.erase);
    key(last, say.search, send, "send");
    key(last, "▾", hide, "wide", say.hide);
  }
  function show(target) {
    if (!writes(target)) return;
    field = target;
    if (!board) {
      board = document.body.appendChild(document.createElement("div"));
      board.className = "lamplight-keyboard";
      board.setAttribute("role", "group");
      board.setAttribute("aria-label", say.keyboard);
      board.dir = "ltr";
      board.addEventListener("mousedown", function (event) { event.preventDefault(); }); // the field keeps the focus
      draw();
    }
    board.hidden = false;
    document.documentElement.classList.add("lamplight-typing");
    field.focus();
    scrollBy(0, Math.max(0, field.getBoundingClientRect().bottom + 16 - board.getBoundingClientRect().top));
  }
  function hide() {
    if (board) board.hidden = true;
    document.documentElement.classList.remove("lamplight-typing");
  }
  addEventListener("click", function (event) {
    if (event.pointerType === "touch" && writes(event.target)) show(event.target);
  }, true);
  addEventListener("lamplight-keyboard", function () {
    if (board && !board.hidden) return hide();
    show(writes(document.activeElement) ? document.activeElement : document.querySelector("input[type=search], input[type=text]"));
  });
  addEventListener("submit", hide, true);
})();
