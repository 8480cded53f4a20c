"""Small worlds: a few drawn facts, told in a sentence or two, and claims that they back, deny or leave open.

Real prose is long and rarely denies itself, so who learns from it alone reads two short sentences badly. A world is drawn
anew each time, either polarity is as likely, and claims of every class use the same words, so nothing but reading helps.
"""
