"""Evolution of answers: populations, who mates, what is bred by whom, and what it is bred for.

Left out: the loop itself (`groundwire.generate`), and which parts make which system (`groundwire.recipes.generating`).
"""
