"""The fixed sentences of the desk's pages of settings, usage and backup, in French and Spanish."""

SETTINGS = {  # English: (French, Spanish)
    # where a value is from, and when another one takes effect
    "Fixed": ("Fixé", "Fijo"),
    "Fixed where Lamplight was started: by an option, a variable or a settings file.": (
        "Fixé au démarrage de Lamplight : par une option, une variable ou un fichier de réglages.",
        "Fijado al iniciar Lamplight: por una opción, una variable o un archivo de ajustes.",
    ),
    "Fixed by lamplight.toml on the card. Take the line out there to choose here.": (
        "Fixé par lamplight.toml sur la carte. Retirez-y la ligne pour choisir ici.",
        "Fijado por lamplight.toml en la tarjeta. Quite allí la línea para elegir aquí.",
    ),
    "Chosen here.": ("Choisi ici.", "Elegido aquí."),
    "The box’s own.": ("D’origine.", "De origen."),
    "Changes at once.": ("Change aussitôt.", "Cambia enseguida."),
    "Changes when the pages start again.": (
        "Change quand les pages redémarrent.",
        "Cambia cuando las páginas se reinician.",
    ),
    "Changes when the box starts again.": (
        "Change quand la boîte redémarre.",
        "Cambia cuando la caja se reinicia.",
    ),
    "Changes when Lamplight starts again.": (
        "Change quand Lamplight redémarre.",
        "Cambia cuando Lamplight se reinicia.",
    ),
    "Chosen, not in force yet.": ("Choisi, pas encore en vigueur.", "Elegido, aún no vigente."),
    "Chosen, but not in force yet:": (
        "Choisi, mais pas encore en vigueur :",
        "Elegido, pero aún no vigente:",
    ),
    "Start Lamplight again now": ("Redémarrer Lamplight maintenant", "Reiniciar Lamplight ahora"),
    "Start the pages again now": ("Redémarrer les pages maintenant", "Reiniciar las páginas ahora"),
    "Start the box again": ("Redémarrer la boîte", "Reiniciar la caja"),
    "End Lamplight and start it again.": (
        "Arrêtez Lamplight et démarrez-le de nouveau.",
        "Termine Lamplight e inícielo de nuevo.",
    ),
    "Starting again": ("Redémarrage", "Reinicio"),
    "The pages are away for some seconds, the language model for longer. This page goes on by itself.": (
        "Les pages s’absentent quelques secondes, le modèle de langue plus longtemps. Cette page continue "
        "d’elle-même.",
        "Las páginas faltan unos segundos, el modelo de lenguaje algo más. Esta página sigue sola.",
    ),
    "Go on": ("Continuer", "Seguir"),
    "Save": ("Enregistrer", "Guardar"),
    "Saved.": ("Enregistré.", "Guardado."),
    # answers
    "How sure the box must be": ("À quel point la boîte doit être sûre", "Cuán segura debe estar la caja"),
    "Strict": ("Stricte", "Estricta"),
    "Balanced": ("Équilibrée", "Equilibrada"),
    "Open": ("Ouverte", "Abierta"),
    "Answers only what the library says plainly. Refuses more than it must.": (
        "Ne répond que si la bibliothèque le dit clairement. Refuse plus qu’il ne faudrait.",
        "Responde solo lo que la biblioteca dice con claridad. Rechaza más de lo debido.",
    ),
    "Weighs both mistakes alike.": ("Pèse les deux erreurs de même.", "Pesa igual ambos errores."),
    "Answers more, and is wrong more often.": (
        "Répond plus, et se trompe plus souvent.",
        "Responde más y se equivoca más a menudo.",
    ),
    "Of 100 questions that it should refuse it answered {a}; of 100 that it should answer it refused {b}.": (
        "Sur 100 questions à refuser, elle a répondu à {a} ; sur 100 à répondre, elle en a refusé {b}.",
        "De 100 preguntas que debía rechazar respondió {a}; de 100 que debía responder rechazó {b}.",
    ),
    "Measured on two sets of questions, with pages that nothing was trained on.": (
        "Mesuré sur deux jeux de questions, avec des pages qui n’ont servi à aucun entraînement.",
        "Medido con dos conjuntos de preguntas, con páginas con las que nada se entrenó.",
    ),
    "Language model": ("Modèle de langue", "Modelo de lenguaje"),
    "The box chooses": ("La boîte choisit", "La caja elige"),
    "Now: {name}.": ("Maintenant : {name}.", "Ahora: {name}."),
    "Now: none.": ("Maintenant : aucun.", "Ahora: ninguno."),
    "This machine carries it.": ("Cette machine le porte.", "Esta máquina puede con él."),
    "Too large: with it the box needs {n} MB of memory.": (
        "Trop grand : avec lui, il faut {n} Mo de mémoire.",
        "Demasiado grande: con él la caja necesita {n} MB de memoria.",
    ),
    "Its file is not here.": ("Son fichier n’est pas ici.", "Su archivo no está aquí."),
    "None": ("Aucun", "Ninguno"),
    "Questions get the passages that answer them.": (
        "Les questions reçoivent les passages qui y répondent.",
        "Las preguntas reciben los pasajes que las responden.",
    ),
    "Language of the box": ("Langue de la boîte", "Idioma de la caja"),
    "For phones that ask for none it has, for its own screen and the label": (
        "Pour les téléphones d’une autre langue, pour son écran et l’étiquette",
        "Para teléfonos en otro idioma, para su pantalla y la etiqueta",
    ),
    "Who may see own documents": (
        "Qui peut voir les documents de la boîte",
        "Quién puede ver los documentos propios",
    ),
    "Who sits at the box, and who has signed in; others only their areas": (
        "Qui est devant la boîte, et qui s’est connecté ; les autres seulement leurs espaces",
        "Quien está ante la caja y quien ha iniciado sesión; los demás solo sus espacios",
    ),
    "Everyone on the network of this box": (
        "Tous sur le réseau de cette boîte",
        "Todos en la red de esta caja",
    ),
    "Nobody, areas with a passphrase neither": (
        "Personne, les espaces à phrase secrète non plus",
        "Nadie, tampoco las áreas con contraseña",
    ),
    "Days that one is kept after its last question; 0: none is kept": (
        "Jours de conservation après la dernière question ; 0 : rien n’est gardé",
        "Días que se guarda tras su última pregunta; 0: no se guarda ninguna",
    ),
    "The box’s own screen": ("L’écran de la boîte", "La pantalla de la caja"),
    "This card was made without what a screen needs.": (
        "Cette carte a été faite sans ce qu’il faut à un écran.",
        "Esta tarjeta se hizo sin lo que necesita una pantalla.",
    ),
    "A screen on the box shows the library to everyone who comes by": (
        "Un écran sur la boîte montre la bibliothèque à qui passe",
        "Una pantalla en la caja muestra la biblioteca a quien pase",
    ),
    # usage
    "Counts by the day, by the box’s clock. No questions, no addresses, no time of day.": (
        "Des nombres par jour, selon l’horloge de la boîte. Ni questions, ni adresses, ni heures.",
        "Cuentas por día, según el reloj de la caja. Sin preguntas, sin direcciones, sin horas.",
    ),
    "In the last {n} days:": ("Dans les {n} derniers jours :", "En los últimos {n} días:"),
    "Questions": ("Questions", "Preguntas"),
    "{n}, of which {m} refused": ("{n}, dont {m} refusées", "{n}, de ellas {m} rechazadas"),
    "answered": ("avec réponse", "respondidas"),
    "refused": ("refusées", "rechazadas"),
    "slow": ("lentes", "lentas"),
    "Slow answers": ("Réponses lentes", "Respuestas lentas"),
    "{n}, that took more than {s} seconds": ("{n}, de plus de {s} secondes", "{n}, de más de {s} segundos"),
    "Opened articles": ("Articles ouverts", "Artículos abiertos"),
    "Opened articles by archive": ("Articles ouverts par archive", "Artículos abiertos por colección"),
    "Archive": ("Archive", "Colección"),
    "Others": ("Autres", "Otras"),
    "All days and months as a table": (
        "Tous les jours et mois en tableau",
        "Todos los días y meses en una tabla",
    ),
    "Day or month": ("Jour ou mois", "Día o mes"),
    "Days after today are of a clock that was wrong.": (
        "Les jours après aujourd’hui viennent d’une horloge fausse.",
        "Los días posteriores a hoy son de un reloj que estaba mal.",
    ),
    "Nothing was counted yet.": ("Rien n’a encore été compté.", "Aún no se contó nada."),
    "Download as CSV": ("Télécharger en CSV", "Descargar como CSV"),
    "Days are kept for about a year, then months for ten.": (
        "Les jours sont gardés un an environ, puis les mois dix ans.",
        "Los días se guardan cerca de un año, después los meses diez años.",
    ),
    "Counting is off, and nothing is kept.": (
        "Rien n’est compté ni gardé.",
        "No se cuenta ni se guarda nada.",
    ),
    "Stop counting, and delete what was counted": (
        "Ne plus compter, et effacer ce qui l’a été",
        "Dejar de contar y borrar lo contado",
    ),
    "Count from now on": ("Compter à partir de maintenant", "Contar desde ahora"),
    # backup
    "People, own documents with conversations, sources, what was chosen here, and usage, as one file.": (
        "Personnes, documents et conversations, sources, choix faits ici et utilisation, en un fichier.",
        "Personas, documentos y conversaciones, fuentes, lo elegido aquí y el uso, en un archivo.",
    ),
    "Not in it: archives, bundles, models, and keys of sources: those stay on the box.": (
        "Sans les archives, collections, modèles et clés des sources : ils restent sur la boîte.",
        "Sin colecciones, bibliotecas, modelos ni claves de fuentes: se quedan en la caja.",
    ),
    "It is not encrypted. Keep it as you would keep the box.": (
        "Il n’est pas chiffré. Gardez-le comme vous garderiez la boîte.",
        "No está cifrado. Guárdelo como guardaría la caja.",
    ),
    "Make a backup": ("Faire une sauvegarde", "Hacer una copia"),
    "Download the backup": ("Télécharger la sauvegarde", "Descargar la copia"),
    "Write it to the stick {name}": ("L’écrire sur la clé {name}", "Escribirla en la memoria {name}"),
    "The backup is on the stick.": ("La sauvegarde est sur la clé.", "La copia está en la memoria."),
    "Restore": ("Restaurer", "Restaurar"),
    "The file is checked first. If it is whole, Lamplight starts again with it.": (
        "Le fichier est vérifié d’abord. S’il est entier, Lamplight redémarre avec lui.",
        "Primero se revisa el archivo. Si está entero, Lamplight se reinicia con él.",
    ),
    "The backup’s file": ("Fichier de la sauvegarde", "Archivo de la copia"),
    "A backup on the stick {name}": ("Une sauvegarde sur la clé {name}", "Una copia en la memoria {name}"),
    "All of that on this box is replaced, and everybody signs in again.": (
        "Tout cela est remplacé sur cette boîte, et chacun se connecte de nouveau.",
        "Todo eso se reemplaza en esta caja, y todos inician sesión de nuevo.",
    ),
    "Restore it": ("La restaurer", "Restaurarla"),
    "A backup waits to be put in place when Lamplight starts again.": (
        "Une sauvegarde attend le prochain démarrage de Lamplight.",
        "Una copia espera al próximo inicio de Lamplight.",
    ),
    "The last restore:": ("La dernière restauration :", "La última restauración:"),
    "The backup is in place.": ("La sauvegarde est en place.", "La copia está en su lugar."),
    "The backup is whole": ("La sauvegarde est entière", "La copia está entera"),
    "Made {made} by version {version}.": (
        "Faite le {made} par la version {version}.",
        "Hecha el {made} por la versión {version}.",
    ),
    "Lamplight starts again with it now. Sign in again in a minute.": (
        "Lamplight redémarre avec elle. Connectez-vous de nouveau dans une minute.",
        "Lamplight se reinicia con ella. Inicie sesión de nuevo en un minuto.",
    ),
    "It is put in place when Lamplight starts again: end it and start it.": (
        "Elle sera mise en place au redémarrage de Lamplight : arrêtez-le et démarrez-le.",
        "Se pondrá en su lugar al reiniciar Lamplight: termínelo e inícielo.",
    ),
}
