from __future__ import annotations

from inference.sparse import encode_document, encode_query


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


def test_a_long_text_weighs_a_term_less() -> None:
    short = encode_document("zinc", average_length=20)
    long = encode_document("zinc " + " ".join(f"word{n}" for n in range(200)), average_length=20)
    zinc = short.indices[0]
    assert long.values[long.indices.index(zinc)] < short.values[0]


def test_query_terms_weigh_one_each() -> None:
    assert set(encode_query("zinc zinc tin").values) == {1.0}
