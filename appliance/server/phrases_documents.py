"""The fixed sentences of own documents' pages, in French and Spanish. `phrases` says them."""

DOCUMENTS = {  # English: (French, Spanish)
    "Your documents": ("Vos documents", "Sus documentos"),
    "Added": ("Ajouté", "Añadido"),
    "Here already": ("Déjà présent", "Ya estaba aquí"),
    "Refused": ("Refusé", "Rechazado"),
    "Waiting": ("En attente", "En espera"),
    "Being read": ("En cours de lecture", "Leyéndose"),
    "The connection broke off. Send it again.": (
        "La connexion s’est interrompue. Envoyez-le à nouveau.",
        "La conexión se interrumpió. Envíelo de nuevo.",
    ),
    "Letters, notes, records: kept on this box, searched and asked like the library.": (
        "Lettres, notes, registres : gardés dans cette boîte, cherchés et interrogés comme la bibliothèque.",
        "Cartas, notas, registros: guardados en esta caja, se buscan y se consultan como la biblioteca.",
    ),
    "What became of your files": ("Ce que sont devenus vos fichiers", "Qué pasó con sus archivos"),
    "Into the folder": ("Dans le dossier", "En la carpeta"),
    "none": ("aucun", "ninguna"),
    "Choose files, or drop them here": (
        "Choisissez des fichiers, ou déposez-les ici",
        "Elija archivos o suéltelos aquí",
    ),
    "{kinds}; text up to {text}, others up to {other}.": (
        "{kinds} ; texte jusqu’à {text}, autres jusqu’à {other}.",
        "{kinds}; texto hasta {text}, otros hasta {other}.",
    ),
    "Add": ("Ajouter", "Añadir"),
    "{n} passages are still being prepared; until then they are found by their words.": (
        "{n} passages sont encore en préparation ; d’ici là, on les trouve par leurs mots.",
        "{n} pasajes aún se están preparando; mientras tanto se encuentran por sus palabras.",
    ),
    "1 passage is still being prepared; until then it is found by its words.": (
        "1 passage est encore en préparation ; d’ici là, on le trouve par ses mots.",
        "1 pasaje aún se está preparando; mientras tanto se encuentra por sus palabras.",
    ),
    "Where they disagree": ("Là où ils se contredisent", "Dónde se contradicen"),
    "1 document": ("1 document", "1 documento"),
    "{n} documents": ("{n} documents", "{n} documentos"),
    "All folders": ("Tous les dossiers", "Todas las carpetas"),
    "None yet.": ("Aucun pour l’instant.", "Todavía ninguno."),
    "More documents": ("Plus de documents", "Más documentos"),
    "Earlier documents": ("Documents précédents", "Documentos anteriores"),
    "{first} to {last} of {n}": ("{first} à {last} sur {n}", "{first} a {last} de {n}"),
    "Deleted. The disk is full: the files are cleaned and made smaller with the next deletion.": (
        "Supprimé. Le disque est plein : les fichiers seront nettoyés et réduits à la prochaine suppression.",
        "Borrado. El disco está lleno: los archivos se limpiarán y reducirán con el próximo borrado.",
    ),
    "added {day}": ("ajouté le {day}", "añadido el {day}"),
    "The passage is no longer at this place. Here is the whole text.": (
        "Le passage n’est plus à cet endroit. Voici le texte entier.",
        "El pasaje ya no está en este lugar. Aquí está el texto completo.",
    ),
    "Ask this document": ("Interroger ce document", "Preguntar a este documento"),
    "Delete this document": ("Supprimer ce document", "Borrar este documento"),
    "It is deleted for good: its text, its passages, and what answers quote of it.": (
        "Il est supprimé pour de bon : son texte, ses passages et ce que les réponses en citent.",
        "Se borra para siempre: su texto, sus pasajes y lo que las respuestas citan de él.",
    ),
    "Delete": ("Supprimer", "Borrar"),
    # areas
    "Your own area": ("Votre espace", "Su espacio"),
    "Documents that only you see, opened with your passphrase. Whoever looks after the box makes the area.": (
        "Des documents que vous seul voyez, ouverts par votre phrase secrète. La personne qui s’occupe de la "
        "boîte crée l’espace.",
        "Documentos que solo usted ve, abiertos con su frase secreta. Quien cuida la caja crea el espacio.",
    ),
    "The area {name} is open.": ("L’espace {name} est ouvert.", "El espacio {name} está abierto."),
    "Close it": ("Le fermer", "Cerrarlo"),
    "Name of the area": ("Nom de l’espace", "Nombre del espacio"),
    "Passphrase": ("Phrase secrète", "Frase secreta"),
    "Open it": ("L’ouvrir", "Abrirlo"),
    "What you add goes into the area {name}, which only you see.": (
        "Ce que vous ajoutez va dans l’espace {name}, que vous seul voyez.",
        "Lo que añada va al espacio {name}, que solo usted ve.",
    ),
    "in your area": ("dans votre espace", "en su espacio"),
}
