"""The fixed sentences of the answer page and the notes, in French and Spanish. `phrases` says them."""

ANSWER = {  # English: (French, Spanish)
    # while it comes about
    "Answer": ("Réponse", "Respuesta"),
    "Only in": ("Seulement dans", "Solo en"),
    "Look in all archives": ("Chercher dans toutes les archives", "Buscar en todas las colecciones"),
    "Understood as:": ("Compris comme :", "Entendido como:"),
    "Ask it as it was typed": ("La poser telle quelle", "Preguntar tal como se escribió"),
    "Ask further about this": ("Continuer sur ce sujet", "Seguir preguntando sobre esto"),
    "and why?": ("et pourquoi ?", "¿y por qué?"),
    "Reading the passages": ("Lecture des passages", "Leyendo los pasajes"),
    "Your question is next": ("Votre question est la suivante", "Su pregunta es la siguiente"),
    "1 question before yours": ("1 question avant la vôtre", "1 pregunta antes de la suya"),
    "{n} questions before yours": ("{n} questions avant la vôtre", "{n} preguntas antes de la suya"),
    "Answering": ("Réponse en cours", "Respondiendo"),
    # passages
    "Passages": ("Passages", "Pasajes"),
    "Close, but they do not answer it": ("Proches, mais sans la réponse", "Cercanos, pero sin la respuesta"),
    "Looked at, but not about this": ("Consultés, mais sur autre chose", "Consultados, pero sobre otra cosa"),
    "Show the passages ({n})": ("Montrer les passages ({n})", "Mostrar los pasajes ({n})"),
    "More passages ({n})": ("Autres passages ({n})", "Más pasajes ({n})"),
    "Whole passage": ("Passage entier", "Pasaje completo"),
    "See it in its text": ("Voir dans son texte", "Ver en su texto"),
    "Open in Kiwix": ("Ouvrir dans Kiwix", "Abrir en Kiwix"),
    "No passages": ("Aucun passage", "Ningún pasaje"),
    "No passage of the archives has to do with this.": (
        "Aucun passage des archives n’a de rapport avec cela.",
        "Ningún pasaje de las colecciones tiene que ver con esto.",
    ),
    "Searching by meaning is off at the moment; only words are compared.": (
        "La recherche par le sens est arrêtée en ce moment ; seuls les mots sont comparés.",
        "La búsqueda por significado está apagada en este momento; solo se comparan palabras.",
    ),
    "{name} is searched by its words only: its index cannot be used. The status page says why.": (
        "{name} n’est cherchée que par ses mots : son index n’est pas utilisable. La page d’état dit "
        "pourquoi.",
        "{name} se busca solo por sus palabras: su índice no puede usarse. La página de estado dice por qué.",
    ),
    "Only the first {n} letters of the question were read.": (
        "Seules les {n} premières lettres de la question ont été lues.",
        "Solo se leyeron las primeras {n} letras de la pregunta.",
    ),
    "Your question was cut to its first {n} letters.": (
        "Votre question a été coupée à ses {n} premières lettres.",
        "Su pregunta se cortó en sus primeras {n} letras.",
    ),
    "The question is longer than the search reads; its beginning was used to search by meaning.": (
        "La question est plus longue que ce que la recherche lit ; son début a servi à chercher par le sens.",
        "La pregunta es más larga de lo que lee la búsqueda; su comienzo sirvió para buscar por significado.",
    ),
    # a refusal
    "The library comes close, but does not answer this": (
        "La bibliothèque s’en approche, mais n’y répond pas",
        "La biblioteca se acerca, pero no responde a esto",
    ),
    "The library does not answer this": (
        "La bibliothèque ne répond pas à cela",
        "La biblioteca no responde a esto",
    ),
    "None of the passages mentions {names}.": (
        "Aucun des passages ne mentionne {names}.",
        "Ninguno de los pasajes menciona {names}.",
    ),
    "Ask a question in words.": ("Posez une question avec des mots.", "Haga una pregunta con palabras."),
    "Looked in": ("Recherche faite dans :", "Se buscó en:"),
    "and {n} more": ("et {n} autres", "y {n} más"),
    "No answer was written: a guess would help nobody.": (
        "Aucune réponse n’a été écrite : deviner n’aiderait personne.",
        "No se escribió ninguna respuesta: adivinar no ayudaría a nadie.",
    ),
    "Did you mean:": ("Vouliez-vous dire :", "Quizá quiso decir:"),
    "Articles with such a title": ("Articles avec un tel titre", "Artículos con un título así"),
    "It often helps to name the thing as an encyclopedia would, or to ask for one fact at a time.": (
        "Il est souvent utile de nommer la chose comme le ferait une encyclopédie, ou de demander un seul "
        "fait à la fois.",
        "Suele ayudar nombrar la cosa como lo haría una enciclopedia, o preguntar un solo dato a la vez.",
    ),
    # what code makes of the passages
    "Calculated": ("Calcul", "Cálculo"),
    "from your question": ("de votre question", "de su pregunta"),
    "Computed by this machine, not by a language model. Check that these are the figures you mean.": (
        "Calculé par cette machine, et non par un modèle de langue. Vérifiez que ce sont bien les chiffres "
        "auxquels vous pensez.",
        "Calculado por esta máquina, no por un modelo de lenguaje. Compruebe que estas son las cifras a las "
        "que se refiere.",
    ),
    "Computed from your question alone: no passage says whether its figures are right.": (
        "Calculé d’après votre seule question : aucun passage ne dit si ses chiffres sont justes.",
        "Calculado solo a partir de su pregunta: ningún pasaje dice si sus cifras son correctas.",
    ),
    "The sources disagree": ("Les sources ne sont pas d’accord", "Las fuentes no coinciden"),
    "They cannot all be right as they stand. None is preferred here: read the passages.": (
        "Ils ne peuvent pas tous être justes tels quels. Aucun n’est préféré ici : lisez les passages.",
        "No pueden ser todos correctos tal como están. Aquí no se prefiere ninguno: lea los pasajes.",
    ),
    "No language model was asked": (
        "Aucun modèle de langue n’a été interrogé",
        "No se preguntó a ningún modelo de lenguaje",
    ),
    # to programs
    "The archives here do not answer this question.": (
        "Les archives d’ici ne répondent pas à cette question.",
        "Las colecciones de aquí no responden a esta pregunta.",
    ),
    "These passages come nearest.": (
        "Ces passages sont les plus proches.",
        "Estos pasajes son los más cercanos.",
    ),
    "Calculated: {result}. From: {inputs}.": (
        "Calcul : {result}. D’après : {inputs}.",
        "Cálculo: {result}. A partir de: {inputs}.",
    ),
    "The sources disagree: {sides}.": (
        "Les sources ne sont pas d’accord : {sides}.",
        "Las fuentes no coinciden: {sides}.",
    ),
    # around an answer
    "Limits of this answer": ("Limites de cette réponse", "Límites de esta respuesta"),
    "The passages that this rests on do not have these words of the question: {names}.": (
        "Les passages cités n’ont pas ces mots de la question : {names}.",
        "Los pasajes citados no tienen estas palabras de la pregunta: {names}.",
    ),
    "It rests on a single source.": (
        "Elle repose sur une seule source.",
        "Se apoya en una sola fuente.",
    ),
    # the end of an answer
    "No answer in the passages": ("Pas de réponse dans les passages", "Sin respuesta en los pasajes"),
    "Stopped": ("Arrêté", "Detenido"),
    "Passages only": ("Passages seulement", "Solo pasajes"),
    "Broken off": ("Interrompu", "Interrumpido"),
    "Quoted from the passages": ("Extrait des passages", "Citado de los pasajes"),
    "Ask again": ("Demander à nouveau", "Preguntar de nuevo"),
    "Status": ("État", "Estado"),
    "The passages stay here.": ("Les passages restent ici.", "Los pasajes siguen aquí."),
    "The answer was longer than this machine writes and ends here.": (
        "La réponse était plus longue que ce que cette machine écrit et s’arrête ici.",
        "La respuesta era más larga de lo que esta máquina escribe y termina aquí.",
    ),
    "Read the first passages yourself.": (
        "Lisez vous-même les premiers passages.",
        "Lea usted los primeros pasajes.",
    ),
    "The language model said one thing that no passage says; it was left out.": (
        "Le modèle de langue a dit une chose qu’aucun passage ne dit ; elle a été omise.",
        "El modelo de lenguaje dijo una cosa que ningún pasaje dice; se omitió.",
    ),
    "The language model said {n} things that no passage says; they were left out.": (
        "Le modèle de langue a dit {n} choses qu’aucun passage ne dit ; elles ont été omises.",
        "El modelo de lenguaje dijo {n} cosas que ningún pasaje dice; se omitieron.",
    ),
    "These are the sources’ own sentences. A language model chose them and can choose wrong ones.": (
        "Ces phrases sont celles des sources. Un modèle de langue les a choisies et peut mal choisir.",
        "Estas frases son de las propias fuentes. Un modelo de lenguaje las eligió y puede elegir mal.",
    ),
    "A language model had a part in these answers and can be wrong. Check the sources.": (
        "Un modèle de langue a pris part à ces réponses et peut se tromper. Vérifiez les sources.",
        "Un modelo de lenguaje intervino en estas respuestas y puede equivocarse. Compruebe las fuentes.",
    ),
    "Before you rely on it, check the sources:": (
        "Avant de vous y fier, vérifiez les sources :",
        "Antes de fiarse, compruebe las fuentes:",
    ),
    "Before you rely on it, check the sources.": (
        "Avant de vous y fier, vérifiez les sources.",
        "Antes de fiarse, compruebe las fuentes.",
    ),
    # why there is no text
    "No language model is on. These passages come nearest to your question.": (
        "Aucun modèle de langue n’est en marche. Ces passages sont les plus proches de votre question.",
        "No hay ningún modelo de lenguaje en marcha. Estos pasajes son los más cercanos a su pregunta.",
    ),
    "The language model found no sentence in the passages that answers this.": (
        "Le modèle de langue n’a trouvé dans les passages aucune phrase qui y réponde.",
        "El modelo de lenguaje no encontró en los pasajes ninguna frase que responda a esto.",
    ),
    "The passages come close, but they do not state the answer.": (
        "Les passages s’en approchent, mais ils n’énoncent pas la réponse.",
        "Los pasajes se acercan, pero no enuncian la respuesta.",
    ),
    "The answer broke off: the language model stopped. The passages below it still hold.": (
        "La réponse a été interrompue : le modèle de langue s’est arrêté. Les passages restent valables.",
        "La respuesta se interrumpió: el modelo de lenguaje se detuvo. Los pasajes siguen siendo válidos.",
    ),
    "The question is so long that the language model has no room left for passages.": (
        "La question est si longue qu’il ne reste au modèle de langue aucune place pour des passages.",
        "La pregunta es tan larga que al modelo de lenguaje no le queda sitio para pasajes.",
    ),
    "The answer is from the first passage of {n}; more did not fit.": (
        "La réponse vient du premier passage sur {n} ; le reste n’avait pas la place.",
        "La respuesta sale del primer pasaje de {n}; no cabían más.",
    ),
    "The answer is from the first {k} passages of {n}; more did not fit.": (
        "La réponse vient des {k} premiers passages sur {n} ; le reste n’avait pas la place.",
        "La respuesta sale de los primeros {k} pasajes de {n}; no cabían más.",
    ),
    "The language model read passage {n} only in part.": (
        "Le modèle de langue n’a lu le passage {n} qu’en partie.",
        "El modelo de lenguaje leyó el pasaje {n} solo en parte.",
    ),
    "{n} questions wait for the language model already. Ask again in a minute.": (
        "{n} questions attendent déjà le modèle de langue. Demandez à nouveau dans une minute.",
        "Ya esperan {n} preguntas al modelo de lenguaje. Pregunte de nuevo en un minuto.",
    ),
    "The language model does not answer. The passages are still found. "
    "The language model is started again by `appliance run`.": (
        "Le modèle de langue ne répond pas. Les passages sont trouvés quand même. `appliance run` redémarre "
        "le modèle de langue.",
        "El modelo de lenguaje no responde. Los pasajes se encuentran igualmente. `appliance run` vuelve a "
        "arrancar el modelo de lenguaje.",
    ),
    "The language model is still starting. Until it is ready, questions get passages. "
    "Ask again in a moment.": (
        "Le modèle de langue démarre encore. D’ici là, les questions reçoivent des passages. Demandez à "
        "nouveau dans un instant.",
        "El modelo de lenguaje aún está arrancando. Mientras tanto, las preguntas reciben pasajes. Pregunte "
        "de nuevo en un momento.",
    ),
    "The language model stopped and is started again. Until it is ready, questions get passages. "
    "Ask again in a moment.": (
        "Le modèle de langue s’est arrêté et redémarre. D’ici là, les questions reçoivent des passages. "
        "Demandez à nouveau dans un instant.",
        "El modelo de lenguaje se detuvo y vuelve a arrancar. Mientras tanto, las preguntas reciben pasajes. "
        "Pregunte de nuevo en un momento.",
    ),
    "The language model stopped several times and is left off. The status page says why.": (
        "Le modèle de langue s’est arrêté plusieurs fois et reste éteint. La page d’état dit pourquoi.",
        "El modelo de lenguaje se detuvo varias veces y queda apagado. La página de estado dice por qué.",
    ),
}
