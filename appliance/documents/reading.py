"""The passages of a scope in reading order, as evidence."""

import json

from appliance.documents import rows
from appliance.documents.records import ARCHIVE, Scope
from appliance.documents.store import Store
from appliance.records import Evidence


def in_order(store: Store, scope: Scope, most: int) -> tuple[list[Evidence], int]:
    """The first `most` passages, document by document as they were added, and how many there are in all."""
    condition, values = rows.within(scope)
    with store.read() as connection:
        inside = f"passage p JOIN document d ON d.id = p.document_id WHERE {condition}"
        total = int(str(connection.execute(f"SELECT count(*) FROM {inside}", values).get))
        sql = (
            "SELECT d.id, d.title, s.heading_path, p.start, p.length FROM passage p "
            "JOIN document d ON d.id = p.document_id JOIN section s ON s.id = p.section_id "
            f"WHERE {condition} ORDER BY d.id, p.ordinal LIMIT ?"
        )
        places = connection.execute(sql, (*values, most)).fetchall()
        texts: dict[object, str] = {}
        found = []
        for document, title, headings, start, length in places:
            if document not in texts:
                got = connection.execute("SELECT text FROM document WHERE id = ?", (document,)).get
                texts = {document: str(got)}  # one at a time
            text = texts[document][int(str(start)) :][: int(str(length))]
            path = tuple(json.loads(str(headings)))
            found.append(Evidence(ARCHIVE, str(document), str(title), path, "", text, int(str(start)), 1.0))
    return found, total
