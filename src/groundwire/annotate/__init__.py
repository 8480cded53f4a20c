"""People judge: items drawn from a run, a local page to judge them on, and how well those who judged agree.

`items` is what one is shown, `tasks` what one is asked, `draw` who is drawn, `folder` what is kept of it, `book` the
judgements, `agreement` Cohen's kappa and Krippendorff's alpha, `standing` who has judged what and who differs, `export` the
files for others, `server` and `page` the page.

Left out: where items come from (the command, which knows the runs), and accounts: whoever has the address may judge.
"""
