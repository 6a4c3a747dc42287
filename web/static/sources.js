// The page of sources changes in place while something is being synced; without this it loads itself again.
(() => {
  "use strict";
  const list = () => document.getElementById("sources");
  if (!list() || !window.fetch || !window.DOMParser) return;

  const busy = () => list().contains(document.activeElement) && document.activeElement !== document.body;

  async function look() {
    if (busy()) return true; // somebody is at a button or a field of the list
    const reply = await fetch(location.pathname, { credentials: "same-origin", cache: "no-store" });
    if (!reply.ok) return true;
    const fresh = new DOMParser().parseFromString(await reply.text(), "text/html").getElementById("sources");
    if (!fresh || busy()) return true;
    const open = [...list().querySelectorAll("details[open]")].map(place);
    for (const one of fresh.querySelectorAll("details")) if (open.includes(place(one))) one.open = true;
    list().replaceWith(document.adoptNode(fresh));
    return list().hasAttribute("data-live");
  }

  const place = (one) => `${one.closest("section").id} ${one.querySelector("summary").textContent}`;

  async function follow() {
    let live = list().hasAttribute("data-live");
    while (live) {
      await new Promise((done) => setTimeout(done, document.hidden ? 8000 : 1500));
      try {
        live = await look();
      } catch {
        await new Promise((done) => setTimeout(done, 5000)); // the box is starting again
      }
    }
  }

  follow();
})();
