from __future__ import annotations

from growth import too_fast
from hypothesis import given
from hypothesis import strategies as st

from inference.sparse import encode_document, encode_query, spelled


def shared(document: str, query: str) -> int:
    return len(set(encode_document(document).indices) & set(encode_query(query).indices))


def test_stemmed_folded_and_without_stop_words() -> None:
    assert shared("The cats were running", "a cat runs") == 2
    assert shared("Le café est ouvert", "cafe") == 1
    assert shared("the of and", "the of and") == 0


def test_a_script_without_spaces_is_split() -> None:
    assert shared("庭の石は動かない", "石") == 1


def test_numbers_and_identifiers_survive() -> None:
    assert shared("error 502 in load_batch", "502 load_batch") >= 2


def test_a_number_is_a_term_of_its_own() -> None:
    assert shared("Rule 7: bake 47 loaves", "rule 7") == 2
    assert shared("Rule 8: bake 48 loaves", "rule 7") == 1
    assert shared("It cost 1,240.50 euros on 2025-03-01 at 14:30.", "1240.50 2025 14") == 3
    assert shared("It cost 3.5 euros.", "3") == shared("v2.1", "1") == 0
    assert shared("Version 1.2.3 is out.", "1.2.3") == 1
    assert spelled("no numbers: v2, 1.5kg and the 7th") == "no numbers: v2, 1.5kg and the 7th"


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_equal_numbers_share_a_term_and_others_do_not(one: int, other: int) -> None:
    assert shared(f"error {one} again", f"{other}") == (one == other)
    assert encode_query(f"{one:,}") == encode_query(str(one))


def test_a_long_text_weighs_a_term_less() -> None:
    short = encode_document("zinc", average_length=20)
    long = encode_document("zinc " + " ".join(f"word{n}" for n in range(200)), average_length=20)
    zinc = short.indices[0]
    assert long.values[long.indices.index(zinc)] < short.values[0]


def test_query_terms_weigh_one_each() -> None:
    assert set(encode_query("zinc zinc tin").values) == {1.0}


def test_the_terms_of_a_text_are_found_in_time_that_grows_as_it_does() -> None:
    assert too_fast(encode_document, 8_000) == []
