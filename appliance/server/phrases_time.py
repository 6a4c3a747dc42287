"""The fixed sentences of the timeline and of the page where documents disagree, in French and Spanish.
`phrases` says them."""

TIME = {  # English: (French, Spanish)
    # the timeline
    "Timeline": ("Chronologie", "Cronología"),
    "What your documents date, and what they mention. A date is shown where all that it can mean lies.": (
        "Ce que vos documents datent, et ce qu’ils mentionnent. Une date est montrée là où se trouve tout ce "
        "qu’elle peut signifier.",
        "Lo que sus documentos fechan y lo que mencionan. Una fecha se muestra donde cabe todo lo que puede "
        "significar.",
    ),
    "All of time": ("Toutes les époques", "Todas las épocas"),
    "Only where these words stand": (
        "Seulement là où figurent ces mots",
        "Solo donde figuren estas palabras",
    ),
    "Filter by words": ("Filtrer par des mots", "Filtrar por palabras"),
    "Filter": ("Filtrer", "Filtrar"),
    "Dates of documents": ("Dates des documents", "Fechas de los documentos"),
    "Dated entries": ("Entrées datées", "Entradas fechadas"),
    "Dates mentioned": ("Dates mentionnées", "Fechas mencionadas"),
    "{n} dates": ("{n} dates", "{n} fechas"),
    "1 date": ("1 date", "1 fecha"),
    "No dates here": ("Aucune date ici", "Ninguna fecha aquí"),
    "Closer": ("De plus près", "Más de cerca"),
    "Before": ("Avant", "Antes"),
    "After": ("Après", "Después"),
    "The document": ("Le document", "El documento"),
    "Entry": ("Entrée", "Entrada"),
    "worked out": ("déduite", "deducida"),
    "Less exact dates that take this in": (
        "Dates moins précises qui englobent cette période",
        "Fechas menos precisas que abarcan este periodo",
    ),
    "More dates": ("Plus de dates", "Más fechas"),
    "Earlier in this list": ("Plus haut dans cette liste", "Más arriba en esta lista"),
    "None of your documents tells a date yet. Journals, letters and accounts usually do.": (
        "Aucun de vos documents ne donne encore de date. Les journaux, les lettres et les récits le font "
        "d’habitude.",
        "Ninguno de sus documentos da todavía una fecha. Los diarios, las cartas y los relatos suelen darla.",
    ),
    "No date fits. Fewer words find more, and all of time holds the most.": (
        "Aucune date ne convient. Moins de mots en trouvent plus, et toutes les époques en contiennent le "
        "plus.",
        "Ninguna fecha coincide. Con menos palabras se encuentran más, y todas las épocas contienen la "
        "mayoría.",
    ),
    "Show everything": ("Tout montrer", "Mostrar todo"),
    "In {name}": ("Dans {name}", "En {name}"),
}
