// In articles read through Kiwix: a link that leads to the internet opens a calm page that says so.
addEventListener("click", function (event) {
  "use strict";
  var link = event.target.closest && event.target.closest("a[href], area[href]");
  if (!link || !/^https?:$/.test(link.protocol) || link.origin === location.origin) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  top.location.href = "/read/catch/external?source=" + encodeURIComponent(link.href);
}, true);
