"""Headings: what is marked as one names what follows, unless it plainly states something."""

import pytest

from groundwire.idle import heads
from groundwire.idle.headings import LONGEST


@pytest.mark.parametrize(
    ("line", "apart"),
    [
        ("### Before 2010", False),
        ("5:2", True),
        ("1914–1999", True),
        ("Chapter 7 bankruptcy", True),
        ("## Chapter 7 bankruptcy", False),
        ("Not included", True),
        ("Allowed", True),
        ("Added", True),
        ("Fixed", True),
        ("Removed", True),
        ("Getting started", True),
        ("Supported platforms", True),
        ("## Air-source heat pumps", False),
        ("Common side effects", True),
        ("## Q3 2024 Results", False),
        ("Clause 8.3 (early termination)", True),
        ("## Dosage and administration in adults", False),
        ("  1. Metro  ", True),
        ("👍   What helps  ", True),
        ("## What helps", False),
        ("1.1.", False),
        ("§ 1.", False),
        ("Section 1.", False),
        ("Clause 1.", True),
        ("### ✅ Allowed deductions", False),
        ("### ❌ Not allowed", False),
        ("What makes no difference", True),
        ("Common side effects (≥5%)", True),
        ("8.2 Termination for convenience", True),
        ("Who should avoid it", True),
        ("Allowed during the fast", True),
        ("Don't:", True),
        ("World War I:", True),
        ("Step 1: Preparation", True),
        ("## Chapter 3: The War", False),
        ("Phase 1 – Planning (2010–2012)", True),
        ("Things you should know", True),
        ("## How it works", False),
        ("Backing up your data", True),
        ("Understanding how it works", True),
        ("Documents required", True),
        ("Lessons learned", True),
        ("Side effects in children under 12", True),
        ("Top 5 reasons to visit Rome", True),
        ("Type 2 diabetes", True),
        ("New in version 3.2", True),
        ("May 2010", True),
        ("Since May 2010", True),
        ("Will of the people", True),
        ("Making a will", True),
        ("Advanced settings", True),
        ("Our recommended settings", True),
        ("Metro (closed on Sundays)", True),
        ("Premium plan ($10/month)", True),
        ("Wind speed", True),
        ("LED lights", True),
        ("Niagara Falls", True),
        ("Drug interactions with alcohol", True),
        ("Tax rates for 2024", True),
        ("Children aged 5 to 12", True),
        ("## 3.2 Results and discussion", False),
        ("#Overview", False),
        ("Where to return bottles", True),
        ("Key Points to Remember Before You Sign", True),
        ("Data collected by the app", True),
        ("After the war", True),
        ("When to call a doctor", True),
        ("Opening hours on Sundays", True),
        ("Methods: how we tested", True),
    ],
)
def test_what_is_marked_as_a_heading_names_what_follows(line, apart):
    assert heads(line, apart=apart)


@pytest.mark.parametrize(
    ("line", "apart"),
    [
        ("The museum was closed in 1990", True),
        ("# Ann won the race in Rome", False),
        ("# Founded in 1932", False),
        ("# Ann won.", False),
        ("Ann won the race in Rome", True),
        ("Ann retired in 2010", True),
        ("The company merged with Oak", True),
        ("Metformin lowers blood sugar", True),
        ("Copper conducts electricity", True),
        ("You need a permit", True),
        ("Adults pay 9 euros", True),
        ("Price: $10", True),
        ("Deadline: 5 May", True),
        ("Dogs don't bark", True),
        ("Trump Wins Election", True),
        ("Parking costs 5 euros", True),
        ("No refunds after 30 days", True),
        ("In 1990 the museum was closed", True),
        ("When the war ended, Ann left Rome", True),
        ("Verdict: the claim is false", True),
        ("Price – $10", True),
        ("Overview", False),
        ("1998.", False),
        ("42.", False),
        ("Rome fell to the Goths in 410", True),
        ("Der Zug kommt um 8 Uhr", True),
        ("这座桥于1990年开放", True),
        ("Мост открылся в 1990 году", True),
        ("The drug must not be taken with milk", True),
        ("Ann is a doctor", True),
        ("Ann said this: she won.", False),
        ("#1 in sales", False),
        ("Paris, the capital, is large", True),
        ("La tour mesure 330 mètres", True),
        ("The bridge will close in May", True),
        ("Mobile app requires Android 9", True),
        ("Water boils at 100 °C", True),
        ("Answer: Paris", True),
        ("Ann founded Oak", True),
        ("Ann may leave Rome in May", True),
        ("Opening hours from 9 to 5", True),
    ],
)
def test_what_states_something_or_is_not_marked_is_no_heading(line, apart):
    assert not heads(line, apart=apart)


@pytest.mark.parametrize("line", ["Getting started", "Before 2010", "Air-source heat pumps", "Option 2.", "Step 3."])
def test_a_line_that_nothing_marks_is_no_heading(line):
    assert not heads(line, apart=False)


@pytest.mark.parametrize("line", ["Key findings:", "In summary:", "Key Benefits of Long Walks:", "地图："])
def test_a_short_line_or_a_title_with_a_colon_is_one(line):
    assert heads(line, apart=False)


def test_a_long_line_says_something():
    line = "Effects of salt on the heart" + ", the kidneys and the eyes" * 5
    assert len(line) > LONGEST
    assert not heads(line, apart=True)


@pytest.mark.parametrize("line", ["", "#", "---", "# ", "(" * 10**6, "1." * 10**6, "#" * 10**6, "a " * 10**6])
def test_what_holds_no_words_or_too_many_is_told_in_no_time(line):
    heads(line, apart=True)
