"""Rows that can be read alone."""

from appliance.sources.tables import Cell, Table


def head(*texts):
    return [Cell(text, header=True) for text in texts]


def body(*texts):
    return [Cell(text, header=False) for text in texts]


def test_a_row_takes_its_words_from_the_header_above_it():
    table = Table()
    assert table.row(head("Drug", "Dose"), in_head=False) == ""
    assert table.row(body("Ibuprofen", "400 mg"), in_head=False) == "Drug: Ibuprofen; Dose: 400 mg"
    assert table.row(body("Aspirin", ""), in_head=False) == "Drug: Aspirin"


def test_a_later_header_replaces_the_first():
    table = Table()
    for cells in (head("A", "B"), body("1", "2"), head("C", "D")):
        table.row(cells, in_head=False)
    assert table.row(body("3", "4"), in_head=False) == "C: 3; D: 4"


def test_a_first_cell_names_the_second():
    assert Table().row([*head("Boiling point"), *body("100 °C")], in_head=False) == "Boiling point: 100 °C"
    assert Table().row(body("Born:", "1930"), in_head=False) == "Born: 1930"
    assert Table().row(body("This is a whole sentence.", "So is this."), in_head=False) == (
        "This is a whole sentence.; So is this."
    )


def test_a_table_of_header_cells_only_loses_nothing():
    table = Table()
    lines = [table.row(head(f"name{n}", f"value{n}"), in_head=False) for n in range(40)] + [table.rest()]
    assert all(f"value{n}" in "\n".join(lines) for n in range(40))


def test_a_cell_that_spans_rows_is_said_in_each():
    table = Table()
    table.row(head("Drug", "Way"), in_head=True)
    first = table.row([Cell("Morphine", False, rows=2), *body("by mouth")], in_head=False)
    second = table.row(body("in a vein"), in_head=False)
    assert (first, second) == ("Drug: Morphine; Way: by mouth", "Drug: Morphine; Way: in a vein")
    assert table.row(body("Codeine", "by mouth"), in_head=False) == "Drug: Codeine; Way: by mouth"
