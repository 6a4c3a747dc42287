"""What every page has around it (head, foot, the script's words) and the fixed sentences of the home page,
the source page and the way out, in French and Spanish. `phrases` says them.
"""

PAGES = {  # English: (French, Spanish)
    # around every page
    "Skip to the content": ("Aller au contenu", "Ir al contenido"),
    "Skip to the answer": ("Aller à la réponse", "Ir a la respuesta"),
    "Skip to the passage": ("Aller au passage", "Ir al pasaje"),
    "Skip to the text": ("Aller au texte", "Ir al texto"),
    "Your question": ("Votre question", "Su pregunta"),
    "Ask in plain words": ("Demandez ici", "Pregunte aquí"),
    ":": ("\N{NO-BREAK SPACE}:", ":"),
    "Ask": ("Demander", "Preguntar"),
    "Works without the internet. Nothing that you ask is kept or sent anywhere.": (
        "Fonctionne sans internet. Rien de ce que vous demandez n’est gardé ni envoyé.",
        "Funciona sin internet. Nada de lo que pregunta se guarda ni se envía.",
    ),
    "Ask and shelf": ("Questions et archives", "Preguntas y colecciones"),
    "Back to the start page": ("Retour à la page d’accueil", "Volver a la página de inicio"),
    # the script's
    "Stop": ("Arrêter", "Detener"),
    "You stopped the answer here. The passages stay.": (
        "Vous avez arrêté la réponse ici. Les passages restent.",
        "Usted detuvo la respuesta aquí. Los pasajes siguen.",
    ),
    "The connection to the library broke off here. Load the page again to ask again.": (
        "La connexion à la bibliothèque s’est interrompue ici. Rechargez la page pour demander à nouveau.",
        "La conexión con la biblioteca se interrumpió aquí. Recargue la página para preguntar de nuevo.",
    ),
    # home
    "Ask your library": ("Interrogez votre bibliothèque", "Pregunte a su biblioteca"),
    "Type a question first.": ("Tapez d’abord une question.", "Escriba primero una pregunta."),
    "Ask only some of the archives": (
        "N’interroger que certaines archives",
        "Preguntar solo a algunas colecciones",
    ),
    "Answers come only from the archives below, each with its sources. "
    "What they do not hold is not answered.": (
        "Les réponses viennent seulement des archives ci-dessous, chacune avec ses sources. Ce qu’elles ne "
        "contiennent pas reste sans réponse.",
        "Las respuestas salen solo de las colecciones de abajo, cada una con sus fuentes. Lo que no "
        "contienen queda sin respuesta.",
    ),
    "A question gets the passages of the archives below that fit it best. "
    "No language model is running here.": (
        "Une question reçoit les passages des archives ci-dessous qui lui conviennent le mieux. Aucun modèle "
        "de langue n’est en marche ici.",
        "Una pregunta recibe los pasajes de las colecciones de abajo que mejor le convienen. Aquí no hay "
        "ningún modelo de lenguaje en marcha.",
    ),
    "On the shelf": ("Sur l’étagère", "En el estante"),
    "No archive is here yet. Put a ZIM file into the library folder, index it, and start again.": (
        "Il n’y a encore aucune archive. Mettez un fichier ZIM dans le dossier de la bibliothèque, indexez-"
        "le et redémarrez.",
        "Aún no hay ninguna colección. Ponga un archivo ZIM en la carpeta de la biblioteca, indéxelo y "
        "arranque de nuevo.",
    ),
    "The status page says which folder that is.": (
        "La page d’état dit quel est ce dossier.",
        "La página de estado dice cuál es esa carpeta.",
    ),
    "1 article": ("1 article", "1 artículo"),
    "{n} articles": ("{n} articles", "{n} artículos"),
    "Found by words and by meaning.": (
        "Recherche par les mots et par le sens.",
        "Búsqueda por palabras y por significado.",
    ),
    "Found by its own words only; no index for questions yet.": (
        "Recherche par ses mots seulement ; pas encore d’index pour les questions.",
        "Búsqueda solo por sus palabras; aún sin índice para preguntas.",
    ),
    "Found by titles only; no index for questions yet.": (
        "Recherche par les titres seulement ; pas encore d’index pour les questions.",
        "Búsqueda solo por títulos; aún sin índice para preguntas.",
    ),
    "Read in Kiwix": ("Lire dans Kiwix", "Leer en Kiwix"),
    # the source page
    "Edition of": ("Édition du", "Edición del"),
    "From": ("Source :", "Fuente:"),
    "The citation was made from the older edition {name}. "
    "Here is the page in the edition that replaced it.": (
        "La citation venait de l’édition plus ancienne {name}. Voici la page dans celle qui l’a remplacée.",
        "La cita venía de la edición anterior {name}. Esta es la página en la edición que la reemplazó.",
    ),
    "The passage is no longer at this place: the archive has been replaced since. Here is the whole text.": (
        "Le passage n’est plus à cet endroit : l’archive a été remplacée depuis. Voici le texte entier.",
        "El pasaje ya no está en este lugar: la colección fue reemplazada. Este es el texto completo.",
    ),
    "To the passage": ("Vers le passage", "Al pasaje"),
    "Open in Kiwix at this passage": ("Ouvrir dans Kiwix à ce passage", "Abrir en Kiwix en este pasaje"),
    "Contents": ("Sommaire", "Contenido"),
    # a link to the internet
    "This leads to the internet": ("Ceci mène à internet", "Esto lleva a internet"),
    "The link goes to a page that is not in this library:": (
        "Le lien va à une page qui n’est pas dans cette bibliothèque :",
        "El enlace va a una página que no está en esta biblioteca:",
    ),
    "Use your browser's back button to go on reading. "
    "With a connection of your own you can copy the address and open it there.": (
        "Le bouton de retour du navigateur ramène à la lecture. Avec une connexion à vous, vous pouvez "
        "copier l’adresse et l’ouvrir là.",
        "El botón de retroceso del navegador devuelve a la lectura. Con una conexión propia puede copiar la "
        "dirección y abrirla allí.",
    ),
}

NAMES = {  # of the archives' languages
    "Arabic": ("arabe", "árabe"),
    "Belarusian": ("biélorusse", "bielorruso"),
    "Bengali": ("bengali", "bengalí"),
    "Bulgarian": ("bulgare", "búlgaro"),
    "Catalan": ("catalan", "catalán"),
    "Czech": ("tchèque", "checo"),
    "Danish": ("danois", "danés"),
    "German": ("allemand", "alemán"),
    "Greek": ("grec", "griego"),
    "English": ("anglais", "inglés"),
    "Esperanto": ("espéranto", "esperanto"),
    "Estonian": ("estonien", "estonio"),
    "Basque": ("basque", "euskera"),
    "Persian": ("persan", "persa"),
    "Finnish": ("finnois", "finés"),
    "French": ("français", "francés"),
    "Irish": ("irlandais", "irlandés"),
    "Hebrew": ("hébreu", "hebreo"),
    "Hindi": ("hindi", "hindi"),
    "Croatian": ("croate", "croata"),
    "Hungarian": ("hongrois", "húngaro"),
    "Indonesian": ("indonésien", "indonesio"),
    "Italian": ("italien", "italiano"),
    "Japanese": ("japonais", "japonés"),
    "Korean": ("coréen", "coreano"),
    "Lithuanian": ("lituanien", "lituano"),
    "Latvian": ("letton", "letón"),
    "Malay": ("malais", "malayo"),
    "Dutch": ("néerlandais", "neerlandés"),
    "Norwegian": ("norvégien", "noruego"),
    "Polish": ("polonais", "polaco"),
    "Portuguese": ("portugais", "portugués"),
    "Romanian": ("roumain", "rumano"),
    "Russian": ("russe", "ruso"),
    "Slovak": ("slovaque", "eslovaco"),
    "Slovenian": ("slovène", "esloveno"),
    "Spanish": ("espagnol", "español"),
    "Serbian": ("serbe", "serbio"),
    "Swahili": ("swahili", "suajili"),
    "Swedish": ("suédois", "sueco"),
    "Thai": ("thaï", "tailandés"),
    "Turkish": ("turc", "turco"),
    "Ukrainian": ("ukrainien", "ucraniano"),
    "Urdu": ("ourdou", "urdu"),
    "Vietnamese": ("vietnamien", "vietnamita"),
    "Chinese": ("chinois", "chino"),
}
