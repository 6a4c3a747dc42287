// Files that are chosen or dropped are sent one by one, each with its progress. Without this the form sends them.
(function () {
  "use strict";
  var say = document.currentScript.dataset, form = document.getElementById("intake");
  if (!form || !window.XMLHttpRequest || !window.DataTransfer) return;
  var drop = document.getElementById("drop"), input = document.getElementById("file");
  var sent = document.getElementById("sent"), waiting = [], busy = false;

  function line(file) {
    var item = document.createElement("li"), name = document.createElement("strong");
    var state = document.createElement("p"), bar = document.createElement("progress");
    name.textContent = file.name;
    name.dir = "auto";
    state.textContent = say.waiting;
    bar.max = 1;
    bar.value = 0;
    bar.setAttribute("aria-label", file.name);
    item.append(name, bar, state);
    sent.appendChild(item);
    return { item: item, state: state, bar: bar };
  }

  function ended(shown, kind, text, address) {
    shown.bar.remove();
    shown.item.className = kind;
    shown.state.textContent = text;
    if (address) {
      var link = document.createElement("a");
      link.href = address;
      link.textContent = text;
      shown.state.replaceChildren(link);
    }
  }

  function told(request, shown) {
    var reply = {};
    try { reply = JSON.parse(request.responseText); } catch (error) { /* what is no JSON says nothing */ }
    if (request.status === 200 || request.status === 201) {
      var state = reply.state === "known" ? say.known : say.added;
      ended(shown, "on", state + ": " + reply.title, "/document?id=" + reply.id);
    } else {
      ended(shown, "wrong", say.refused + ": " + ((reply.error && reply.error.message) || request.status));
    }
  }

  // The list below is of before the sending: it is read again when the last file was told.
  function renew() {
    var request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.responseType = "document";
    request.addEventListener("load", function () {
      var read = request.status === 200 && request.response && request.response.getElementById("listed");
      if (read) document.getElementById("listed").replaceWith(read);
    });
    request.send();
  }

  function next() {
    var one = waiting.shift();
    if (!one) {
      busy = false;
      renew();
      return;
    }
    busy = true;
    var request = new XMLHttpRequest(), shown = one.shown;
    var folder = document.getElementById("folder").value;
    var below = (one.file.webkitRelativePath || "").split("/").slice(0, -1).join("/");
    var address = "/api/documents?name=" + encodeURIComponent(one.file.name) +
      "&folder=" + encodeURIComponent([folder, below].filter(Boolean).join("/"));
    request.open("POST", address);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.setRequestHeader("x-form-token", form.elements.token.value);
    request.upload.addEventListener("progress", function (event) {
      if (event.lengthComputable) shown.bar.value = event.loaded / event.total;
    });
    request.upload.addEventListener("load", function () {
      shown.bar.removeAttribute("value");
      shown.state.textContent = say.reading;
    });
    request.addEventListener("load", function () { told(request, shown); next(); });
    request.addEventListener("error", function () { ended(shown, "wrong", say.lost); next(); });
    request.send(one.file);
  }

  function take(files) {
    Array.prototype.forEach.call(files, function (file) {
      waiting.push({ file: file, shown: line(file) });
    });
    if (!busy) next();
  }

  form.addEventListener("submit", function (event) {
    event.preventDefault();
    take(input.files);
    input.value = "";
  });
  ["dragenter", "dragover"].forEach(function (name) {
    drop.addEventListener(name, function (event) {
      event.preventDefault();
      drop.classList.add("over");
    });
  });
  ["dragleave", "drop"].forEach(function (name) {
    drop.addEventListener(name, function () { drop.classList.remove("over"); });
  });
  drop.addEventListener("drop", function (event) {
    event.preventDefault();
    take(event.dataTransfer.files);
  });
})();
