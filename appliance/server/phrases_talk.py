"""The sentences of the pages of conversations, in French and Spanish. `phrases` says them."""

TALK = {  # English: (French, Spanish)
    "Conversations": ("Conversations", "Conversaciones"),
    "Your conversations": ("Vos conversations", "Sus conversaciones"),
    "keep questions with their answers, for this browser alone.": (
        "gardent les questions avec leurs réponses, pour ce navigateur seul.",
        "guardan las preguntas con sus respuestas, solo para este navegador.",
    ),
    "All conversations": ("Toutes les conversations", "Todas las conversaciones"),
    "Search in your conversations": ("Chercher dans vos conversations", "Buscar en sus conversaciones"),
    "Found for {words}:": ("Trouvé pour {words} :", "Encontrado para {words}:"),
    "Nothing was found for {words}.": (
        "Rien n’a été trouvé pour {words}.",
        "No se encontró nada para {words}.",
    ),
    "Show all": ("Tout montrer", "Mostrar todo"),
    "Questions that are asked here stay, with their answers, and the next one may lean on those before it.": (
        "Les questions posées ici restent, avec leurs réponses, et la suivante peut s’appuyer sur les "
        "précédentes.",
        "Las preguntas hechas aquí se quedan, con sus respuestas, y la siguiente puede apoyarse en las "
        "anteriores.",
    ),
    "1 question": ("1 question", "1 pregunta"),
    "{n} questions": ("{n} questions", "{n} preguntas"),
    "Rename or delete": ("Renommer ou supprimer", "Cambiar nombre o borrar"),
    "Name": ("Nom", "Nombre"),
    "Rename": ("Renommer", "Cambiar nombre"),
    "Delete this conversation": ("Supprimer cette conversation", "Borrar esta conversación"),
    "Skip to the last question": ("Aller à la dernière question", "Ir a la última pregunta"),
    "Your next question": ("Votre prochaine question", "Su próxima pregunta"),
    "This question has no answer yet: the box stopped, or was too busy.": (
        "Cette question n’a pas encore de réponse : la boîte s’est arrêtée ou était trop occupée.",
        "Esta pregunta aún no tiene respuesta: la caja se detuvo o estaba demasiado ocupada.",
    ),
    "Sources ({n})": ("Sources ({n})", "Fuentes ({n})"),
    "The document that this came from was deleted, and what it said with it.": (
        "Le document d’où cela venait a été supprimé, et ce qu’il disait avec lui.",
        "El documento del que venía esto fue borrado, y con él lo que decía.",
    ),
    "The document that this came from is not open to you now.": (
        "Le document d’où cela venait ne vous est pas ouvert en ce moment.",
        "El documento del que venía esto no está abierto para usted ahora.",
    ),
    "Works without the internet. Conversations are kept on this box, for this browser alone, "
    "until you delete them.": (
        "Fonctionne sans internet. Les conversations sont gardées sur cette boîte, pour ce navigateur seul, "
        "jusqu’à ce que vous les supprimiez.",
        "Funciona sin internet. Las conversaciones se guardan en esta caja, solo para este navegador, hasta "
        "que usted las borre.",
    ),
    "Works without the internet. "
    "What is asked here is forgotten when nobody touches the screen for a while.": (
        "Fonctionne sans internet. Ce qui est demandé ici est oublié quand personne ne touche l’écran "
        "pendant un moment.",
        "Funciona sin internet. Lo que se pregunta aquí se olvida cuando nadie toca la pantalla un rato.",
    ),
    "Keep this as a conversation": ("Garder comme conversation", "Guardar como conversación"),
    # a summary
    "Sum it up": ("Résumer", "Resumir"),
    "Summary: {name}": ("Résumé : {name}", "Resumen: {name}"),
    "Read so far: {n} of {total} passages": (
        "Lus jusqu’ici : {n} passages sur {total}",
        "Leídos hasta ahora: {n} pasajes de {total}",
    ),
    "These sentences stand so in the text: no language model was asked, or it could not be used.": (
        "Ces phrases sont telles quelles dans le texte : aucun modèle de langue n’a été interrogé, ou il n’a "
        "pas pu servir.",
        "Estas frases están así en el texto: no se preguntó a ningún modelo de lenguaje, o no pudo usarse.",
    ),
    "Only the first {n} of {total} passages were read.": (
        "Seuls les {n} premiers passages sur {total} ont été lus.",
        "Solo se leyeron los primeros {n} pasajes de {total}.",
    ),
    "There is no text here to be summed up.": (
        "Il n’y a ici aucun texte à résumer.",
        "Aquí no hay ningún texto que resumir.",
    ),
    # where a question is asked
    "Ask in": ("Chercher dans", "Buscar en"),
    "Asked in:": ("Cherché dans :", "Buscado en:"),
    "Everything": ("Tout", "Todo"),
    "The library": ("La bibliothèque", "La biblioteca"),
    "Own documents": ("Documents personnels", "Documentos propios"),
    "Folders": ("Dossiers", "Carpetas"),
    "Documents": ("Documents", "Documentos"),
    "Chosen": ("Choisi", "Elegido"),
    "A document that was deleted": ("Un document supprimé", "Un documento borrado"),
    "No document is here to be searched.": (
        "Aucun document n’est là pour la recherche.",
        "No hay ningún documento donde buscar.",
    ),
}
