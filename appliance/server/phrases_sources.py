"""The fixed sentences of the pages of Git sources, in French and Spanish. `phrases` says them."""

SOURCES = {  # English: (French, Spanish)
    "Git repositories of Markdown (team wikis, runbooks): the box keeps a copy in step, and questions are "
    "asked of them as of the library.": (
        "Des dépôts Git en Markdown (wikis d’équipe, procédures) : la boîte en garde une copie à jour, et on "
        "les interroge comme la bibliothèque.",
        "Repositorios Git de Markdown (wikis de equipo, procedimientos): la caja guarda una copia al día y "
        "se consultan como la biblioteca.",
    ),
    "A program is missing here: {names}. Install it to sync.": (
        "Il manque ici un programme : {names}. Installez-le pour synchroniser.",
        "Aquí falta un programa: {names}. Instálelo para sincronizar.",
    ),
    "syncing": ("synchronisation en cours", "sincronizando"),
    "waits for its turn": ("attend son tour", "espera su turno"),
    "not in step": ("pas à jour", "no está al día"),
    "in step": ("à jour", "al día"),
    "not synced yet": ("pas encore synchronisé", "aún sin sincronizar"),
    "Fetching from its host": ("Récupération depuis son hôte", "Trayendo de su servidor"),
    "Reading files": ("Lecture des fichiers", "Leyendo archivos"),
    "Preparing passages": ("Préparation des passages", "Preparando pasajes"),
    "Putting the new state in place": ("Mise en place du nouvel état", "Poniendo el nuevo estado"),
    "Files seen: {n}": ("Fichiers vus : {n}", "Archivos vistos: {n}"),
    "New or changed: {n}": ("Nouveaux ou modifiés : {n}", "Nuevos o cambiados: {n}"),
    "Renamed: {n}": ("Renommés : {n}", "Con otro nombre: {n}"),
    "Removed: {n}": ("Supprimés : {n}", "Quitados: {n}"),
    "Not read: {n}": ("Non lus : {n}", "Sin leer: {n}"),
    "Read so far: {n}": ("Lus jusqu’ici : {n}", "Leídos hasta ahora: {n}"),
    "Passages prepared: {a} of {b}": (
        "Passages préparés : {a} sur {b}",
        "Pasajes preparados: {a} de {b}",
    ),
    "What was read on {day} is still searched.": (
        "Ce qui a été lu le {day} reste consultable.",
        "Lo leído el {day} se sigue consultando.",
    ),
    "Files: {n}": ("Fichiers : {n}", "Archivos: {n}"),
    "Passages: {n}": ("Passages : {n}", "Pasajes: {n}"),
    "as of {when}": ("état du {when}", "estado del {when}"),
    "next in about a minute": ("prochaine dans une minute environ", "la próxima en un minuto"),
    "next in about {n} minutes": ("prochaine dans {n} minutes environ", "la próxima en unos {n} minutos"),
    "Key of this source": ("Clé de cette source", "Clave de esta fuente"),
    "Give it to the repository as a deploy key, for reading only. Its private half never leaves the box.": (
        "Donnez-la au dépôt comme clé de déploiement, en lecture seule. Sa moitié privée ne quitte jamais la "
        "boîte.",
        "Désela al repositorio como clave de despliegue, solo de lectura. Su mitad privada nunca sale de la "
        "caja.",
    ),
    "Key of the host, kept when it was first met:": (
        "Clé de l’hôte, gardée à la première rencontre :",
        "Clave del servidor, guardada la primera vez:",
    ),
    "Files that could not be read: {n}": (
        "Fichiers qui n’ont pas pu être lus : {n}",
        "Archivos que no se pudieron leer: {n}",
    ),
    "Submodules, which are not followed: {n}": (
        "Sous-modules, qui ne sont pas suivis : {n}",
        "Submódulos, que no se siguen: {n}",
    ),
    "Sync now": ("Synchroniser maintenant", "Sincronizar ahora"),
    "Trust the new host key": (
        "Accepter la nouvelle clé de l’hôte",
        "Confiar en la nueva clave del servidor",
    ),
    "I have asked who runs the host.": (
        "J’ai demandé à qui gère l’hôte.",
        "He preguntado a quien lleva el servidor.",
    ),
    "Change": ("Changer", "Cambiar"),
    "Seen by": ("Vu par", "La ven"),
    "people who have signed in": ("les personnes connectées", "quienes han iniciado sesión"),
    "everyone": ("tout le monde", "todos"),
    "Who sees it; remove it": ("Qui la voit ; la retirer", "Quién la ve; quitarla"),
    "When it is removed, its key and all that was read of it are deleted. The repository itself stays what "
    "it is.": (
        "Si on la retire, sa clé et tout ce qui en a été lu sont supprimés. Le dépôt reste tel quel.",
        "Al quitarla se borran su clave y todo lo leído de ella. El repositorio mismo sigue como está.",
    ),
    "Remove this source": ("Retirer cette source", "Quitar esta fuente"),
    "No source yet.": ("Aucune source pour l’instant.", "Todavía no hay fuentes."),
    "Add a source": ("Ajouter une source", "Añadir una fuente"),
    "Address": ("Adresse", "Dirección"),
    "SSH or HTTPS. Over SSH the box makes a key of its own, which you then give to the repository.": (
        "SSH ou HTTPS. En SSH, la boîte crée sa propre clé, que vous donnez ensuite au dépôt.",
        "SSH o HTTPS. Con SSH la caja crea su propia clave, que luego usted da al repositorio.",
    ),
    "Name, branch, host": ("Nom, branche, hôte", "Nombre, rama, servidor"),
    "Name here": ("Nom ici", "Nombre aquí"),
    "the repository’s own": ("celui du dépôt", "el del repositorio"),
    "Branch": ("Branche", "Rama"),
    "Its host’s pages look like": (
        "Les pages de son hôte ressemblent à",
        "Las páginas de su servidor son como",
    ),
    "told by its name": ("selon son nom", "según su nombre"),
    "none of these": ("aucun de ceux-ci", "ninguno de estos"),
    # the files
    "It could not be brought in step since; this is its last state.": (
        "Elle n’a pas pu être mise à jour depuis ; voici son dernier état.",
        "Desde entonces no se pudo poner al día; este es su último estado.",
    ),
    "More files": ("Autres fichiers", "Más archivos"),
    "Open at its host, which needs the internet": (
        "Ouvrir chez son hôte (demande internet)",
        "Abrir en su servidor (pide internet)",
    ),
    "Ask this source": ("Interroger cette source", "Preguntar a esta fuente"),
    "Read its files": ("Lire ses fichiers", "Leer sus archivos"),
    "Git repository": ("Dépôt Git", "Repositorio Git"),
    "The source {name} cannot be read just now; the status page says why.": (
        "La source {name} n’est pas lisible en ce moment ; la page d’état dit pourquoi.",
        "La fuente {name} no se puede leer ahora; la página de estado dice por qué.",
    ),
}
