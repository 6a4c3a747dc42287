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
    # where documents differ
    "Where documents differ": ("Où des documents divergent", "Donde los documentos difieren"),
    "Two of your documents say different things of what seems to be one thing. Nothing here says which is "
    "right: read both. A pair that is none can be put aside.": (
        "Deux de vos documents disent des choses différentes de ce qui semble être une même chose. Rien ici "
        "ne dit lequel a raison : lisez les deux. Une paire qui n’en est pas une peut être mise de côté.",
        "Dos de sus documentos dicen cosas distintas de lo que parece ser una misma cosa. Nada aquí dice "
        "cuál tiene razón: lea los dos. Un par que no lo es puede apartarse.",
    ),
    "Put aside": ("Mettre de côté", "Apartar"),
    "Take it back": ("La reprendre", "Recuperar"),
    "Those put aside ({n})": ("Mises de côté ({n})", "Apartados ({n})"),
    "Back to those that differ ({n})": (
        "Retour à celles qui divergent ({n})",
        "Volver a los que difieren ({n})",
    ),
    "Nothing was put aside.": ("Rien n’a été mis de côté.", "No se apartó nada."),
    "No two documents were found to differ. New ones are compared when they arrive.": (
        "Aucune divergence entre documents n’a été trouvée. Les nouveaux sont comparés à leur arrivée.",
        "No se encontraron documentos que difieran. Los nuevos se comparan cuando llegan.",
    ),
    "More of them": ("En voir plus", "Ver más"),
    "A date": ("Une date", "Una fecha"),
    "A number": ("Un nombre", "Un número"),
    "A place": ("Un lieu", "Un lugar"),
    "An owner": ("Un propriétaire", "Un propietario"),
}
