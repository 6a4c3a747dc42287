"""The sentences of the hotspot's welcome page and of the buttons on the box's own screen, in French, Spanish,
Arabic and Hindi. `phrases` says them.

The Arabic and the Hindi were not read by a native speaker yet (docs/portal.md).
"""

LANGUAGES = ("en", "fr", "es", "ar", "hi")
RIGHT_TO_LEFT = ("ar",)

WELCOME = {  # English: (French, Spanish, Arabic, Hindi)
    "A library is here": (
        "Une bibliothèque est ici",
        "Aquí hay una biblioteca",
        "هنا مكتبة",
        "यहाँ एक पुस्तकालय है",
    ),
    "This Wi-Fi leads to Lamplight, a library in a small box. Ask it in plain words, or read in its books. "
    "It works without the internet, and this Wi-Fi does not lead to the internet.": (
        "Ce Wi-Fi mène à Lamplight, une bibliothèque dans une petite boîte. Posez-lui vos questions avec vos "
        "mots, ou lisez ses livres. Elle marche sans internet, et ce Wi-Fi ne mène pas à internet.",
        "Este wifi lleva a Lamplight, una biblioteca en una cajita. Pregúntele con sus palabras o lea sus "
        "libros. Funciona sin internet, y este wifi no lleva a internet.",
        "تصلك شبكة الواي فاي هذه بـ Lamplight، وهي مكتبة في صندوق صغير. اسألها بكلماتك أو اقرأ في كتبها. "
        "تعمل المكتبة دون إنترنت، وهذه الشبكة لا تصلك بالإنترنت.",
        "यह वाई-फ़ाई आपको Lamplight से जोड़ता है, जो एक छोटे डिब्बे में बना पुस्तकालय है। अपने शब्दों में "
        "सवाल पूछिए या इसकी किताबें पढ़िए। यह बिना इंटरनेट के चलता है, और इस वाई-फ़ाई पर इंटरनेट नहीं है।",
    ),
    "Stay on this Wi-Fi": (
        "Rester sur ce Wi-Fi",
        "Seguir en este wifi",
        "البقاء على هذه الشبكة",
        "इसी वाई-फ़ाई पर रहें",
    ),
    "After that this page may close by itself. Then open your browser and type:": (
        "Ensuite, cette page peut se fermer d’elle-même. Ouvrez alors votre navigateur et tapez :",
        "Después, esta página puede cerrarse sola. Abra entonces su navegador y escriba:",
        "قد تُغلق هذه الصفحة بعد ذلك من تلقاء نفسها. افتح عندئذ متصفحك واكتب:",
        "इसके बाद यह पन्ना अपने आप बंद हो सकता है। तब अपना ब्राउज़र खोलिए और लिखिए:",
    ),
    "Your phone stays on this Wi-Fi": (
        "Votre téléphone reste sur ce Wi-Fi",
        "Su teléfono sigue en este wifi",
        "سيبقى هاتفك على هذه الشبكة",
        "आपका फ़ोन इसी वाई-फ़ाई पर रहेगा",
    ),
    "Close this page. Then open your browser and type:": (
        "Fermez cette page. Ouvrez ensuite votre navigateur et tapez :",
        "Cierre esta página. Después abra su navegador y escriba:",
        "أغلق هذه الصفحة، ثم افتح متصفحك واكتب:",
        "यह पन्ना बंद कीजिए। फिर अपना ब्राउज़र खोलिए और लिखिए:",
    ),
    "From now on this is the library’s address:": (
        "Voici l’adresse de la bibliothèque, pour la suite aussi :",
        "Esta es la dirección de la biblioteca, también para más tarde:",
        "هذا هو عنوان المكتبة من الآن فصاعدًا:",
        "पुस्तकालय का पता अब से यह है:",
    ),
    "Open the library": (
        "Ouvrir la bibliothèque",
        "Abrir la biblioteca",
        "افتح المكتبة",
        "पुस्तकालय खोलें",
    ),
    "If the address does not open": (
        "Si l’adresse ne s’ouvre pas",
        "Si la dirección no se abre",
        "إذا لم يُفتح العنوان",
        "अगर पता न खुले",
    ),
    "Type it whole, with http:// and without an s: no address with https:// opens here.": (
        "Tapez-la en entier, avec http:// et sans s : aucune adresse en https:// ne s’ouvre ici.",
        "Escríbala entera, con http:// y sin s: aquí no se abre ninguna dirección con https://.",
        "اكتبه كاملًا مع \u2066http://\u2069 ومن دون حرف s: لا يُفتح هنا أي عنوان يبدأ بـ "
        "\u2066https://\u2069.",  # set apart, or it is written from right to left
        "पूरा पता लिखिए, http:// के साथ और s के बिना: यहाँ https:// वाला कोई पता नहीं खुलता।",
    ),
    "Turn off mobile data and any VPN while you are here.": (
        "Coupez les données mobiles et tout VPN tant que vous êtes ici.",
        "Apague los datos móviles y cualquier VPN mientras esté aquí.",
        "أوقف بيانات الهاتف وأي VPN ما دمت هنا.",
        "यहाँ रहते समय मोबाइल डेटा और हर VPN बंद रखिए।",
    ),
    "Android: in the network settings set Private DNS to Automatic or Off. With a provider’s name there, "
    "the phone asks only that provider for addresses, cannot reach it from here, and opens no page at all.": (
        "Android : dans les réglages du réseau, mettez DNS privé sur Automatique ou Désactivé. Avec un nom "
        "de fournisseur, le téléphone ne demande les adresses qu’à celui-ci, ne peut pas le joindre d’ici et "
        "n’ouvre aucune page.",
        "Android: en los ajustes de red ponga DNS privado en Automático o Desactivado. Con el nombre de un "
        "proveedor, el teléfono pregunta las direcciones solo a ese proveedor, no lo alcanza desde aquí y no "
        "abre ninguna página.",
        "أندرويد: اجعل «نظام أسماء النطاقات الخاص» (Private DNS) في إعدادات الشبكة على «تلقائي» أو «إيقاف». "
        "إذا كُتب فيه اسم مزوّد، فلن يسأل الهاتف عن العناوين غيره، ولا يصل إليه من هنا، فلا تُفتح أي صفحة.",
        "Android: नेटवर्क सेटिंग में निजी DNS (Private DNS) को «अपने-आप» या «बंद» पर रखिए। वहाँ किसी प्रदाता "
        "का नाम हो तो फ़ोन पते केवल उसी से पूछता है, यहाँ से उस तक पहुँच नहीं पाता, और कोई पन्ना नहीं खुलता।",
    ),
    "This number does without names:": (
        "Ce nombre se passe de noms :",
        "Este número no necesita nombres:",
        "هذا الرقم يغني عن الأسماء:",
        "यह संख्या बिना नाम के काम करती है:",
    ),
}

KIOSK = {  # English: (French, Spanish, Arabic, Hindi)
    "Back": ("Retour", "Atrás", "رجوع", "वापस"),
    "Start again": ("Recommencer", "Empezar de nuevo", "ابدأ من جديد", "फिर से शुरू करें"),
    "Is anyone still here? This screen goes back to the start in a moment.": (
        "Y a-t-il encore quelqu’un ? Cet écran revient au début dans un instant.",
        "¿Sigue ahí alguien? Esta pantalla vuelve al inicio en un momento.",
        "هل ما زال أحد هنا؟ ستعود هذه الشاشة إلى البداية بعد لحظات.",
        "क्या कोई अभी यहाँ है? यह स्क्रीन थोड़ी देर में शुरुआत पर लौट जाएगी।",
    ),
    "Go on reading": ("Continuer à lire", "Seguir leyendo", "متابعة القراءة", "पढ़ना जारी रखें"),
    "Keyboard": ("Clavier", "Teclado", "لوحة المفاتيح", "कीबोर्ड"),
    "Space": ("Espace", "Espacio", "مسافة", "खाली जगह"),
    "Erase": ("Effacer", "Borrar", "مسح", "मिटाएँ"),
    "Capital letters": ("Majuscules", "Mayúsculas", "أحرف كبيرة", "बड़े अक्षर"),
    "Hide the keyboard": ("Masquer le clavier", "Ocultar el teclado", "إخفاء لوحة المفاتيح", "कीबोर्ड छिपाएँ"),
    "Search": ("Chercher", "Buscar", "ابحث", "खोजें"),
}
