"""What the page says of errors has no path of this machine in it."""

from every import every

from appliance.bundles.store import StoreError
from appliance.shelving.sentences import told, without_paths


@every(
    ("text", "said"),
    [
        ("The disk of /data/bundles is full.", "The disk of bundles is full."),
        ("/run/lamplight/sticks/CLINIC/valley-1 cannot be written.", "valley-1 cannot be written."),
        ("'/home/ama/lamplight/store/.lock' is locked", "'.lock' is locked"),
        ("archives/small.zim was changed.", "archives/small.zim was changed."),
        ("44 MB/s, and/or 1/2", "44 MB/s, and/or 1/2"),
        ("open http://lamplight/library", "open http://lamplight/library"),
        ("(/var/lib/x/)", "()"),
    ],
)
def test_of_a_path_only_its_last_name_is_said(text, said):
    assert without_paths(text) == said


def test_every_kind_of_error_is_a_sentence_without_paths():
    errors = (
        StoreError("The store /data/bundles cannot be written to.", "Look at /data/bundles."),
        OSError(28, "No space left on device", "/data/bundles/.coming-x/archives/a.zim.part"),
        KeyError("/data/home/x"),
    )
    assert not [told(error) for error in errors if "/data" in told(error)]
    assert told(errors[1]) == "a.zim.part: No space left on device."
