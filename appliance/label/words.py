"""The sentences of the label. The Arabic and the Hindi were not read by a native speaker yet
(docs/portal.md).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """`{address}` and `{number}` stand for what is typed."""

    about: str
    join: str
    open: str
    network: str
    passphrase: str
    no_passphrase: str
    no_page: str
    private_dns: str


WORDS = {
    "en": Words(
        "A library in a box. Ask it in plain words, read its books. No internet needed, and none here.",
        "Join the Wi-Fi",
        "Open the library",
        "Network",
        "Passphrase",
        "No passphrase",
        "No page opens? Type {address} into your browser, with http:// in front; or {number}. "
        "Turn off mobile data and any VPN.",
        "Android: set Private DNS to Automatic or Off in the network settings. With a provider’s name there, "
        "no page opens.",
    ),
    "fr": Words(
        "Une bibliothèque dans une boîte. Posez-lui vos questions, lisez ses livres. Sans internet.",
        "Rejoindre le Wi-Fi",
        "Ouvrir la bibliothèque",
        "Réseau",
        "Mot de passe",
        "Sans mot de passe",
        "Aucune page ne s’ouvre ? Tapez {address} dans votre navigateur, avec http:// devant ; ou {number}. "
        "Coupez les données mobiles et tout VPN.",
        "Android : mettez DNS privé sur Automatique ou Désactivé dans les réglages du réseau. Avec un nom de "
        "fournisseur, aucune page ne s’ouvre.",
    ),
    "es": Words(
        "Una biblioteca en una caja. Pregúntele con sus palabras, lea sus libros. Sin internet.",
        "Unirse al wifi",
        "Abrir la biblioteca",
        "Red",
        "Contraseña",
        "Sin contraseña",
        "¿No se abre ninguna página? Escriba {address} en su navegador, con http:// delante; o {number}. "
        "Apague los datos móviles y cualquier VPN.",
        "Android: ponga DNS privado en Automático o Desactivado en los ajustes de red. Con el nombre de un "
        "proveedor no se abre ninguna página.",
    ),
    "ar": Words(
        "مكتبة في صندوق. اسألها بكلماتك واقرأ كتبها، دون إنترنت.",
        "انضم إلى الشبكة",
        "افتح المكتبة",
        "الشبكة",
        "كلمة المرور",
        "بلا كلمة مرور",
        "لم تُفتح أي صفحة؟ اكتب العنوان كاملًا في متصفحك: {address} أو {number}. أوقف بيانات الهاتف وأي VPN.",
        "أندرويد: اجعل Private DNS في إعدادات الشبكة على «تلقائي» أو «إيقاف». إذا كُتب فيه اسم مزوّد فلن تُفتح "
        "أي صفحة.",
    ),
    "hi": Words(
        "डिब्बे में एक पुस्तकालय। अपने शब्दों में पूछिए, किताबें पढ़िए। इंटरनेट की ज़रूरत नहीं।",
        "वाई-फ़ाई से जुड़ें",
        "पुस्तकालय खोलें",
        "नेटवर्क",
        "पासवर्ड",
        "बिना पासवर्ड",
        "कोई पन्ना नहीं खुला? ब्राउज़र में {address} लिखिए, आगे http:// के साथ; या {number}। मोबाइल डेटा और "
        "VPN बंद रखिए।",
        "Android: नेटवर्क सेटिंग में निजी DNS (Private DNS) को «अपने-आप» या «बंद» पर रखिए। वहाँ किसी प्रदाता "
        "का नाम हो तो कोई पन्ना नहीं खुलता।",
    ),
}
LANGUAGES = tuple(WORDS)
RIGHT_TO_LEFT = ("ar",)
