// Makes the pages better where scripts run; every page works without.
(function () {
  "use strict";
  var root = document.documentElement, say = document.currentScript.dataset;
  root.classList.add("js");

  // A citation lights up its passage while it is pointed at or focused.
  function light(event) {
    var cite = event.target.closest && event.target.closest("[data-n]");
    document.querySelectorAll(".lit").forEach(function (lit) { lit.classList.remove("lit"); });
    if (cite) {
      var passage = document.getElementById("p" + cite.dataset.n);
      var turn = cite.closest(".turn"); // of several answers on a page, each has its own passages
      if (passage && (!turn || turn.contains(passage))) passage.classList.add("lit");
    }
  }
  document.addEventListener("mouseover", light);
  document.addEventListener("focusin", light);

  // While an answer is written: a button that stops it, and the page keeps its end in sight.
  var follow = true;
  ["wheel", "touchmove", "keydown"].forEach(function (name) {
    addEventListener(name, function () { follow = false; }, { passive: true });
  });
  function button() {
    var answer = document.getElementById("answer");
    if (!answer || !answer.querySelector(".live") || answer.querySelector(".stop, [data-end]")) return;
    var stop = document.createElement("button");
    stop.type = "button";
    stop.className = "stop";
    stop.textContent = say.stop;
    stop.addEventListener("click", function () {
      window.stop();
      stop.remove();
      ending(answer, say.stopped, say.stays);
    });
    answer.insertBefore(stop, answer.firstChild);
  }
  function ending(answer, status, sentence) {
    if (answer.querySelector("[data-end]")) return;
    var live = answer.querySelector(".live") || answer;
    var line = document.createElement("p"), end = document.createElement("div");
    line.className = "status done";
    line.textContent = status;
    end.className = "end";
    end.dataset.end = "";
    end.appendChild(document.createElement("p")).textContent = sentence;
    live.appendChild(line);
    live.appendChild(end);
    last();
  }
  function last() { // a screen reader reads the last status only
    var lines = document.querySelectorAll(".status");
    for (var place = 0; place < lines.length - 1; place++) lines[place].hidden = true;
  }
  function watch() {
    button();
    last();
    var text = document.querySelector(".answer .text");
    if (text && follow && text.getBoundingClientRect().bottom > innerHeight) {
      text.scrollIntoView({ block: "end" });
    }
  }
  function whole() {
    if (observer) observer.disconnect();
    last();
    var stop = document.querySelector(".stop"), answer = document.getElementById("answer");
    if (stop) stop.remove();
    if (answer && !answer.querySelector("[data-end]")) {
      ending(answer, say.broken, say.lost);
    }
  }
  var observer = null;
  if (document.readyState === "loading") {
    observer = new MutationObserver(watch);
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    document.addEventListener("DOMContentLoaded", whole);
    watch();
  }

  // Titles while one types: a list under the box, with arrow keys.
  var box = null, list = null, timer = 0, asked = "", chosen = -1;
  function close() {
    if (list) list.remove();
    list = null;
    chosen = -1;
    if (box) {
      box.setAttribute("aria-expanded", "false");
      box.removeAttribute("aria-activedescendant");
    }
  }
  function show(results) {
    close();
    if (!results.length || document.activeElement !== box) return;
    list = document.createElement("ul");
    list.className = "suggest";
    list.id = "suggest";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", say.titles);
    results.forEach(function (result, place) {
      var item = list.appendChild(document.createElement("li"));
      var link = item.appendChild(document.createElement("a"));
      item.id = "suggest-" + place;
      item.setAttribute("role", "option");
      link.href = result.url;
      link.tabIndex = -1;
      link.dir = "auto";
      link.textContent = result.title;
      link.appendChild(document.createElement("small")).textContent = result.archive;
    });
    list.addEventListener("mousedown", function (event) { event.preventDefault(); });
    box.form.querySelector(".line").appendChild(list);
    box.setAttribute("role", "combobox");
    box.setAttribute("aria-controls", "suggest");
    box.setAttribute("aria-expanded", "true");
  }
  function ask() {
    var text = asked = box.value.trim();
    if (text.length < 2) return close();
    fetch("/api/suggest?limit=6&q=" + encodeURIComponent(text)).then(function (reply) {
      return reply.ok ? reply.json() : { results: [] };
    }).then(function (reply) {
      if (asked === text) show(reply.results);
    }, close);
  }
  document.addEventListener("input", function (event) {
    if (event.target.id !== "q") return;
    box = event.target;
    clearTimeout(timer);
    timer = setTimeout(ask, 150);
  });
  document.addEventListener("keydown", function (event) {
    if (event.target !== box || !list) return;
    var items = list.children, step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (chosen >= 0) items[chosen].removeAttribute("aria-selected");
      chosen += step;  // -1 is the box itself, between the last and the first
      if (chosen < -1) chosen = items.length - 1;
      if (chosen === items.length) chosen = -1;
      if (chosen < 0) return box.removeAttribute("aria-activedescendant");
      items[chosen].setAttribute("aria-selected", "true");
      box.setAttribute("aria-activedescendant", items[chosen].id);
    } else if (event.key === "Escape") {
      event.preventDefault();  // keeps what was typed
      close();
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      items[chosen].firstChild.click();
    }
  });
  // A question that is sent counts once, however often the button is pressed.
  document.addEventListener("submit", function (event) {
    if (event.target.method !== "post" || event.defaultPrevented) return;
    if (event.target.dataset.sent) return event.preventDefault();
    event.target.dataset.sent = "yes";
  });
  addEventListener("pageshow", function () { // back from the history
    document.querySelectorAll("[data-sent]").forEach(function (form) { delete form.dataset.sent; });
  });
  document.addEventListener("submit", function () { clearTimeout(timer); asked = ""; close(); });
  document.addEventListener("focusout", function (event) { if (event.target === box) close(); });
})();
