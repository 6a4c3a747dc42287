"""What the status page says of the library and its programs, in French and Spanish. `phrases` says them."""

HEALTH = {  # English: (French, Spanish)
    "Questions cannot be searched": (
        "On ne peut pas chercher de réponses",
        "No se pueden buscar respuestas",
    ),
    "Working, with one thing to look at": (
        "En marche, avec une chose à regarder",
        "Funciona, con una cosa que mirar",
    ),
    "Working, with {n} things to look at": (
        "En marche, avec {n} choses à regarder",
        "Funciona, con {n} cosas que mirar",
    ),
    "Still starting": ("Encore au démarrage", "Aún arrancando"),
    "on": ("en marche", "encendido"),
    "starting": ("démarre", "arrancando"),
    "One more thing to look at, for whoever looks after this box": (
        "Une autre chose à regarder, pour la personne qui s’occupe de cette boîte",
        "Una cosa más que mirar, para quien cuida esta caja",
    ),
    "{n} more things to look at, for whoever looks after this box": (
        "{n} autres choses à regarder, pour la personne qui s’occupe de cette boîte",
        "{n} cosas más que mirar, para quien cuida esta caja",
    ),
    "Label to print, with the codes to join": (
        "Étiquette à imprimer, avec les codes pour se joindre",
        "Etiqueta para imprimir, con los códigos para unirse",
    ),
    # the parts
    "Index of {name}": ("Index de {name}", "Índice de {name}"),
    "Source {name}": ("Source {name}", "Fuente {name}"),
    "Language model of the bundle": ("Modèle de langue du lot", "Modelo de lenguaje del lote"),
    "Choices of the desk": ("Choix du bureau", "Elecciones del despacho"),
    # programs
    "The embedder": ("Le programme des vecteurs", "El programa de vectores"),
    "The language model": ("Le modèle de langue", "El modelo de lenguaje"),
    "{title} is being started.": ("{title} démarre.", "{title} está arrancando."),
    "{title} ended ({how}) and is started again.": (
        "{title} s’est arrêté ({how}) et redémarre.",
        "{title} terminó ({how}) y vuelve a arrancar.",
    ),
    "{title} did not answer within {n} s ({how}) and is started again.": (
        "{title} n’a pas répondu en {n} s ({how}) et redémarre.",
        "{title} no respondió en {n} s ({how}) y vuelve a arrancar.",
    ),
    "{title} no longer answered ({how}) and is started again.": (
        "{title} ne répondait plus ({how}) et redémarre.",
        "{title} ya no respondía ({how}) y vuelve a arrancar.",
    ),
    "{title} cannot be started: {why} and is started again.": (
        "{title} ne peut pas démarrer ({why}) ; nouvel essai.",
        "{title} no puede arrancar ({why}); se intenta de nuevo.",
    ),
    "{title} ended ({how}), {n} times in a row, and is left off.": (
        "{title} s’est arrêté ({how}), {n} fois de suite, et reste éteint.",
        "{title} terminó ({how}), {n} veces seguidas, y queda apagado.",
    ),
    "{title} did not answer within {s} s ({how}), {n} times in a row, and is left off.": (
        "{title} n’a pas répondu en {s} s ({how}), {n} fois de suite, et reste éteint.",
        "{title} no respondió en {s} s ({how}), {n} veces seguidas, y queda apagado.",
    ),
    "{title} no longer answered ({how}), {n} times in a row, and is left off.": (
        "{title} ne répondait plus ({how}), {n} fois de suite, et reste éteint.",
        "{title} ya no respondía ({how}), {n} veces seguidas, y queda apagado.",
    ),
    "{title} cannot be started: {why}, {n} times in a row, and is left off.": (
        "{title} ne peut pas démarrer ({why}), {n} fois de suite, et reste éteint.",
        "{title} no puede arrancar ({why}), {n} veces seguidas, y queda apagado.",
    ),
    "The embedder does not answer: {why}.": (
        "Le programme des vecteurs ne répond pas : {why}.",
        "El programa de vectores no responde: {why}.",
    ),
    "Passages are still found by their words. The embedder is started again by `appliance run`.": (
        "Les passages sont trouvés par leurs mots. `appliance run` redémarre le programme des vecteurs.",
        "Los pasajes se encuentran por sus palabras. `appliance run` lo vuelve a arrancar.",
    ),
    "The embedder runs the model {found}…, expected {expected}….": (
        "Le programme des vecteurs tourne avec le modèle {found}…, attendu {expected}….",
        "El programa de vectores usa el modelo {found}…, se esperaba {expected}….",
    ),
    "It does not answer.": ("Il ne répond pas.", "No responde."),
    "Questions get passages.": ("Les questions reçoivent des passages.", "Las preguntas reciben pasajes."),
    "Until then questions get passages.": (
        "D’ici là les questions reçoivent des passages.",
        "Hasta entonces las preguntas reciben pasajes.",
    ),
    "The language model is left out (--search-only).": (
        "Le modèle de langue est laissé de côté (--search-only).",
        "El modelo de lenguaje se dejó fuera (--search-only).",
    ),
    "No language model is here; questions get passages.": (
        "Il n’y a pas de modèle de langue ici ; les questions reçoivent des passages.",
        "No hay aquí ningún modelo de lenguaje; las preguntas reciben pasajes.",
    ),
    "The language model of the bundle in use is none that this version knows.": (
        "Le modèle de langue du lot en usage n’est pas connu de cette version.",
        "El modelo de lenguaje del lote en uso no lo conoce esta versión.",
    ),
    "This machine has too little memory for {name} of the bundle in use.": (
        "Cette machine a trop peu de mémoire pour {name} du lot en usage.",
        "Esta máquina tiene poca memoria para {name} del lote en uso.",
    ),
    "{name} of the bundle in use is loaded at the next start of the box.": (
        "{name} du lot en usage sera chargé au prochain démarrage de la boîte.",
        "{name} del lote en uso se carga en el próximo arranque de la caja.",
    ),
    "kiwix-serve is not running.": ("kiwix-serve ne tourne pas.", "kiwix-serve no funciona."),
    "kiwix-serve is not installed. Install kiwix-tools (`apt install kiwix-tools`) to read archives in "
    "Kiwix; the rest works without.": (
        "kiwix-serve n’est pas installé. Installez kiwix-tools (`apt install kiwix-tools`) pour lire les "
        "archives dans Kiwix ; le reste marche sans.",
        "kiwix-serve no está instalado. Instale kiwix-tools (`apt install kiwix-tools`) para leer las "
        "colecciones en Kiwix; lo demás funciona sin él.",
    ),
    "Install kiwix-tools (`apt install kiwix-tools`) to read archives in Kiwix; the rest works without.": (
        "Installez kiwix-tools (`apt install kiwix-tools`) pour lire les archives dans Kiwix ; le reste "
        "marche sans.",
        "Instale kiwix-tools (`apt install kiwix-tools`) para leer las colecciones en Kiwix; lo demás "
        "funciona sin él.",
    ),
    "Passages open in their own text.": (
        "Les passages s’ouvrent dans leur propre texte.",
        "Los pasajes se abren en su propio texto.",
    ),
    # archives and their indexes
    "There is no archive that can be opened.": (
        "Aucune archive ne peut être ouverte.",
        "No hay ninguna colección que pueda abrirse.",
    ),
    "Put a .zim file into the library folder and start again.": (
        "Mettez un fichier .zim dans le dossier library et redémarrez.",
        "Ponga un archivo .zim en la carpeta library y arranque de nuevo.",
    ),
    "1 passage": ("1 passage", "1 pasaje"),
    "{n} passages": ("{n} passages", "{n} pasajes"),
    "There is no text in this archive to search.": (
        "Il n’y a pas de texte où chercher dans cette archive.",
        "En esta colección no hay texto donde buscar.",
    ),
    "There is no text in this archive to search. {n} of its entries could not be read.": (
        "Il n’y a pas de texte où chercher dans cette archive. {n} de ses entrées étaient illisibles.",
        "En esta colección no hay texto donde buscar. {n} de sus entradas no se pudieron leer.",
    ),
    "It could not be read for 1 question: the file was replaced or is damaged.": (
        "Il n’a pas pu être lu pour 1 question : le fichier a été remplacé ou est abîmé.",
        "No se pudo leer para 1 pregunta: el archivo fue reemplazado o está dañado.",
    ),
    "It could not be read for {n} questions: the file was replaced or is damaged.": (
        "Il n’a pas pu être lu pour {n} questions : le fichier a été remplacé ou est abîmé.",
        "No se pudo leer para {n} preguntas: el archivo fue reemplazado o está dañado.",
    ),
    "1 passage no longer fits the archive's text and was left out.": (
        "1 passage ne va plus avec le texte de l’archive et a été omis.",
        "1 pasaje ya no encaja con el texto de la colección y se omitió.",
    ),
    "{n} passages no longer fit the archive's text and were left out.": (
        "{n} passages ne vont plus avec le texte de l’archive et ont été omis.",
        "{n} pasajes ya no encajan con el texto de la colección y se omitieron.",
    ),
    "Make it with `appliance index`, or start again with `appliance run`, which does.": (
        "Faites-le avec `appliance index`, ou redémarrez avec `appliance run`, qui le fait.",
        "Hágalo con `appliance index`, o arranque de nuevo con `appliance run`, que lo hace.",
    ),
    "Start again with `appliance run`, which makes it when needed.": (
        "Redémarrez avec `appliance run`, qui le fait au besoin.",
        "Arranque de nuevo con `appliance run`, que lo hace si hace falta.",
    ),
    "Rebuild the index: appliance index {name}": (
        "Refaites l’index : appliance index {name}",
        "Rehaga el índice: appliance index {name}",
    ),
    "{newest} is newer and is used instead.": (
        "{newest} est plus récent et sert à sa place.",
        "{newest} es más nuevo y se usa en su lugar.",
    ),
    "{name} may be removed.": ("{name} peut être supprimé.", "{name} puede quitarse."),
    # own documents, sources, sticks, people
    "Documents: {n}, passages: {m}": ("Documents : {n}, passages : {m}", "Documentos: {n}, pasajes: {m}"),
    "Documents: {n}, passages still being prepared: {m}": (
        "Documents : {n}, passages encore en préparation : {m}",
        "Documentos: {n}, pasajes aún en preparación: {m}",
    ),
    "Until then their words are searched.": (
        "D’ici là leurs mots sont cherchés.",
        "Hasta entonces se buscan sus palabras.",
    ),
    "Files: {n}, passages: {m}": ("Fichiers : {n}, passages : {m}", "Archivos: {n}, pasajes: {m}"),
    "Files: {n}, passages: {m}, not read: {k}": (
        "Fichiers : {n}, passages : {m}, illisibles : {k}",
        "Archivos: {n}, pasajes: {m}, sin leer: {k}",
    ),
    "See its page.": ("Voir sa page.", "Vea su página."),
    "{name} is in use; every file was read and is right.": (
        "{name} sert ; chaque fichier a été lu et est juste.",
        "{name} está en uso; cada archivo se leyó y está bien.",
    ),
    "{name} is in use and being checked: {n} read.": (
        "{name} sert et est en vérification : {n} lus.",
        "{name} está en uso y se comprueba: {n} leído.",
    ),
    "Nothing of it is used.": ("Rien n’en est utilisé.", "No se usa nada de ella."),
    "Nobody looks after this box yet.": (
        "Personne ne s’occupe encore de cette boîte.",
        "Nadie cuida aún esta caja.",
    ),
    "Open /first-use with the code of the device.": (
        "Ouvrez /first-use avec le code de l’appareil.",
        "Abra /first-use con el código del aparato.",
    ),
    "Nobody can sign in. {why}": (
        "Personne ne peut se connecter. {why}",
        "Nadie puede iniciar sesión. {why}",
    ),
    "See docs/people.md: when nobody can sign in.": (
        "Voir docs/people.md : quand personne ne peut se connecter.",
        "Vea docs/people.md: cuando nadie puede iniciar sesión.",
    ),
    "Choose again on the page Answers.": (
        "Choisissez à nouveau sur la page Réponses.",
        "Elija de nuevo en la página Respuestas.",
    ),
    "Start Lamplight again.": ("Redémarrez Lamplight.", "Arranque Lamplight de nuevo."),
    "Switch counting off and on again at /desk/usage: that begins anew.": (
        "Arrêtez puis rallumez le comptage sous /desk/usage : cela recommence à neuf.",
        "Apague y encienda el recuento en /desk/usage: así empieza de nuevo.",
    ),
    # in figures
    "Version": ("Version", "Versión"),
    "Archives": ("Archives", "Colecciones"),
    "Gate": ("Seuil", "Filtro"),
    "Memory used by the pages' process": (
        "Mémoire du processus des pages",
        "Memoria del proceso de las páginas",
    ),
    "Board": ("Carte", "Placa"),
    "Phones at once on the Wi-Fi": ("Téléphones à la fois sur le Wi-Fi", "Teléfonos a la vez en el Wi-Fi"),
    "not known": ("inconnu", "desconocido"),
}
