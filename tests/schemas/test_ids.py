from __future__ import annotations

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from schemas.ids import SHORT_ID, short_id, stored_form


@given(st.uuids(), st.integers(1, 36), st.booleans())
def test_an_id_is_known_by_its_beginning_with_and_without_hyphens(one: UUID, length: int, loud: bool) -> None:
    for written in (str(one), one.hex):
        named = written[:length].upper() if loud else written[:length]
        assert str(one).startswith(stored_form(named))
        assert stored_form(named).replace("-", "") == written[:length].replace("-", "")
    assert stored_form(one.hex) == str(one)


@given(st.text(max_size=40))
def test_what_is_no_part_of_an_id_stays_as_it_is(text: str) -> None:
    assert stored_form(text) == text or set(stored_form(text)) <= set("0123456789abcdef-")


def test_an_id_whose_beginning_several_share_is_not_shortened() -> None:
    one = "a3d7e319-0000-5000-8000-000000000000"
    assert short_id(one) == one[:SHORT_ID]
    assert short_id(one, ("a3d7e319",)) == one
    assert short_id(one, ("a3d7e318",)) == one[:SHORT_ID]
