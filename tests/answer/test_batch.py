"""Which tokens are computed when, with a model whose next word is a sum over all of its sequence: one token
out of place, lost or another's, and everything after it is different."""

import random
import zlib

import pytest
from every import every

from appliance.answer.batch import BESIDE, LONGEST, STEP, Batch
from appliance.answer.events import Done, Text
from appliance.errors import DecodingError

LETTERS = "abcdefghijklmnopqrstuvwxyz"
END = 0
BAD = 999
BEGINNING = [7] * 40


class Sums:
    """States that are checked: positions follow each other, and a copy goes into an empty sequence."""

    name, context = "sums", 500
    beginning = BEGINNING

    def __init__(self, slots: int, ends: int = 40) -> None:
        self.slots, self._ends = slots, ends
        self.held: list[list[int]] = [[] for _ in range(slots + 1)]
        self.steps: list[list[tuple[int, int]]] = []  # of each run: sequence and number of tokens

    def count(self, texts):
        return [len(text) for text in texts]

    def prompt(self, messages, max_tokens):  # noqa: ARG002
        return [*BEGINNING, *(ord(letter) for message in messages for letter in message.content)]

    def decode(self, parts):
        self.steps.append([(part.sequence, len(part.tokens)) for part in parts])
        assert sum(len(part.tokens) for part in parts) <= STEP
        assert len({part.sequence for part in parts}) == len(parts)
        if any(BAD in part.tokens for part in parts):
            raise DecodingError("bad")
        found = []
        for part in parts:
            own = self.held[part.sequence]
            assert part.start == len(own)
            own += part.tokens
            sum_of_all = zlib.crc32(repr(own).encode())
            found.append(END if sum_of_all % self._ends == 0 else 1 + sum_of_all % len(LETTERS))
        return found

    def cut(self, sequence, length):
        del self.held[sequence][length:]

    def copy(self, source, target, length):
        assert not self.held[target]
        self.held[target] = self.held[source][:length]

    def piece(self, token):
        return LETTERS[token - 1].encode()

    def ends(self, token):
        return token == END


def told_alone(prompt, most, ends=40):
    return list(Batch(Sums(1, ends)).alone(prompt, most))


def text(events):
    return "".join(event.delta for event in events if isinstance(event, Text))


def prompt_of(random_, most=200):
    return [*BEGINNING, *(random_.randrange(1, 300) for _ in range(random_.randrange(1, most)))]


@every("seed", range(5))
def test_whoever_comes_and_goes_each_answer_is_the_one_that_is_written_alone(seed):
    random_ = random.Random(seed)
    slots = random_.choice([1, 2, 4, 8])
    batch = Batch(Sums(slots))
    waiting = [prompt_of(random_) for _ in range(15)]
    waiting += random_.choices(waiting, k=5)  # the same question again
    asked, told, left = {}, {}, 0
    done = []
    while waiting or asked:
        while waiting and len(asked) < slots:
            prompt = waiting.pop()
            slot = batch.start(prompt, 60)
            assert slot not in asked
            asked[slot], told[slot] = prompt, []
        if random_.random() < 0.02:
            slot = random_.choice(list(asked))
            batch.stop(slot)
            del asked[slot]
            left += 1
            continue
        for slot, event in batch.step():
            told[slot].append(event)
            if isinstance(event, Done):
                done.append((asked.pop(slot), told[slot]))
    assert len(done) == 20 - left
    for prompt, events in done:
        alone = told_alone(prompt, 60)
        assert text(events) == text(alone)
        assert events[-1].finish == alone[-1].finish
        assert events[-1].completion_tokens == alone[-1].completion_tokens


def read_beside(model, step, writers):
    return sum(size for slot, size in model.steps[step] if slot not in writers)


def test_words_come_at_full_speed_while_others_have_long_prompts_to_be_read():
    model = Sums(4, ends=10**9)
    batch = Batch(model)
    writer = batch.start([*BEGINNING, 1], 60)
    readers = {batch.start([*BEGINNING, *([n] * 150)], 10) for n in range(2, 5)}
    order = []
    while len(order) < 4:
        before = len(model.steps)
        told = batch.step()
        if writer not in order:
            assert [slot for slot, _ in told][:1] == [writer]
            assert read_beside(model, before, {writer}) == 0
        order += [slot for slot, event in told if isinstance(event, Done)]
    assert order == [writer, *sorted(readers)]  # one after the other: the first words soon, not all late


def test_a_question_that_was_read_before_is_answered_beside_the_others():
    model = Sums(4, ends=10**9)
    batch = Batch(model)
    asked = [*BEGINNING, *range(50, 150)]
    list(batch.alone(asked, 3))
    slots = [batch.start(asked, 20) for _ in range(3)]
    told = batch.step()
    assert {slot for slot, _ in told} == set(slots)
    long = batch.start([*BEGINNING, *range(200, 300)], 5)
    near = [slot for slot, _ in batch.step()]
    assert near == slots
    assert long not in near


def test_those_who_ask_the_same_at_once_have_it_read_once():
    model = Sums(4, ends=10**9)
    batch = Batch(model)
    model.steps.clear()
    asked = [*BEGINNING, *range(50, 150)]
    slots = [batch.start(asked, 20) for _ in range(4)]
    while len([slot for slot, _ in batch.step()]) < len(slots):
        pass
    assert sum(size for step in model.steps for _, size in step if size > 1) < 100 + STEP
    texts = dict.fromkeys(slots, "")
    while batch.running:
        for slot, event in batch.step():
            texts[slot] += event.delta if isinstance(event, Text) else ""
    assert len({text[-15:] for text in texts.values()}) == 1


def test_nobody_is_passed_over_for_ever():
    """Somebody is always writing, since the same short question is asked without an end."""
    model = Sums(2, ends=10**9)
    batch = Batch(model)
    writer = batch.start([*BEGINNING, 1], 50)
    long = batch.start([*BEGINNING, *range(100, 200)], 5)
    steps = 0
    while steps < 2 * LONGEST:
        steps += 1
        before = len(model.steps)
        told = batch.step()
        assert read_beside(model, before, {writer}) <= BESIDE
        if any(slot == long for slot, _ in told):
            break
        if any(isinstance(event, Done) for _, event in told):
            writer = batch.start([*BEGINNING, 1], 50)
    else:
        pytest.fail("it was never read")
    assert steps <= LONGEST + 100 // BESIDE + 2


def test_alone_a_step_is_full():
    model = Sums(4)
    batch = Batch(model)
    model.steps.clear()
    batch.start([*BEGINNING, *range(1, 65)], 5)
    batch.step()
    batch.step()
    assert [size for step in model.steps for _, size in step] == [STEP, STEP]


def test_the_beginning_is_read_once_and_a_question_that_comes_again_not_at_all():
    batch = Batch(Sums(2))
    asked, other = [*BEGINNING, *range(50, 90)], [*BEGINNING, *range(100, 140)]
    kept = [list(batch.alone(prompt, 5))[-1].kept_tokens for prompt in (asked, other, asked)]
    assert kept == [len(BEGINNING), len(BEGINNING), len(asked) - 1]


def test_two_who_ask_the_same_at_once_share_what_was_read():
    model = Sums(2)
    batch = Batch(model)
    asked = [*BEGINNING, *range(50, 110)]
    batch.start(asked, 5)
    batch.step()
    second = batch.start(asked, 5)
    assert len(model.held[second]) == len(BEGINNING) + STEP


def test_the_model_failing_with_one_ends_that_one_alone():
    batch = Batch(Sums(3))
    good = [[*BEGINNING, *range(n, n + 20)] for n in (50, 100)]
    slots = [batch.start(good[0], 30), batch.start([*BEGINNING, 5, BAD], 30), batch.start(good[1], 30)]
    told = {slot: [] for slot in slots}
    while not all(events and isinstance(events[-1], Done) for events in told.values()):
        for slot, event in batch.step():
            told[slot].append(event)
    assert [event.finish for event in told[slots[1]]] == ["broken"]
    assert [text(told[slots[0]]), text(told[slots[2]])] == [text(told_alone(each, 30)) for each in good]
    assert text(batch.alone(good[0], 30)) == text(told_alone(good[0], 30))


def test_a_length_that_is_reached_is_told():
    done = told_alone([*BEGINNING, 9], 5, ends=10**9)[-1]
    assert (done.finish, done.completion_tokens, done.prompt_tokens) == ("length", 5, 41)


def test_all_slots_taken_is_an_error():
    batch = Batch(Sums(1))
    batch.start([*BEGINNING, 1], 5)
    with pytest.raises(IndexError):
        batch.start([*BEGINNING, 2], 5)


def test_who_stops_listening_frees_the_slot():
    batch = Batch(Sums(1))
    events = batch.alone([*BEGINNING, *range(1, 90)], 50)
    next(events)
    events.close()
    assert text(batch.alone([*BEGINNING, 3], 50)) == text(told_alone([*BEGINNING, 3], 50))
