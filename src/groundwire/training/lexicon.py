"""Word lists behind the edits: opposites, units, quantifiers, synonyms, verb forms. Ours, small, lower case.

Leaves out: morphology. Every form that may be written is listed or does not take part.
"""

from __future__ import annotations

_OPPOSITES = """
increase decrease; increases decreases; increased decreased; increasing decreasing; more fewer; more less; higher
lower; highest lowest; high low; larger smaller; largest smallest; large small; big small; bigger smaller; greater
lesser; rise fall; rises falls; rose fell; rising falling; gain loss; gained lost; gains loses; gaining losing; grew
shrank; grow shrink; growing shrinking; growth decline; expanded contracted; expand contract; before after; first
last; earlier later; earliest latest; early late; former latter; previous next; previously subsequently; north south;
northern southern; east west; eastern western; northeast southwest; northwest southeast; left right; upper lower; top
bottom; above below; over under; inside outside; internal external; interior exterior; win lose; wins loses; won lost;
winning losing; winner loser; winners losers; victory defeat; success failure; successful unsuccessful; successfully
unsuccessfully; succeeded failed; passed failed; accept reject; accepted rejected; accepts rejects; approved rejected;
approve reject; approval rejection; allowed banned; allow forbid; allows forbids; permit prohibit; permitted
prohibited; legal illegal; possible impossible; able unable; likely unlikely; common rare; commonly rarely; often
seldom; frequently rarely; usual unusual; always never; public private; open closed; opened closed; opening closing;
opens closes; start end; started ended; starts ends; starting ending; began ended; begin end; begins ends; beginning
ending; arrived departed; arrive depart; arrival departure; enter leave; entered left; joined left; join leave; bought
sold; buy sell; buys sells; buying selling; borrowed lent; accepted refused; agree disagree; agreed disagreed; support
oppose; supported opposed; supports opposes; supporters opponents; supporter opponent; support opposition; positive
negative; positively negatively; good bad; better worse; best worst; strong weak; stronger weaker; strongest weakest;
fast slow; faster slower; fastest slowest; quickly slowly; hot cold; hotter colder; warm cool; warmer cooler; wet dry;
light dark; lighter heavier; light heavy; hard soft; easy difficult; easier harder; easily hardly; simple complex; old
new; older younger; oldest youngest; old young; oldest newest; ancient modern; rich poor; richer poorer; cheap
expensive; long short; longer shorter; longest shortest; wide narrow; wider narrower; deep shallow; tall short; taller
shorter; tallest shortest; near far; nearest farthest; close distant; closer farther; male female; man woman; men
women; boy girl; boys girls; king queen; prince princess; husband wife; father mother; fathers mothers; son daughter;
sons daughters; brother sister; brothers sisters; uncle aunt; nephew niece; actor actress; his her; he she; him her;
born died; birth death; alive dead; live dead; life death; dead living; true false; right wrong; correct incorrect;
correctly incorrectly; safe dangerous; healthy sick; guilty innocent; innocent convicted; convicted acquitted;
innocence guilt; friend enemy; friends enemies; ally rival; allies rivals; attack defend; attacked defended; attacks
defends; offensive defensive; war peace; hostile friendly; domestic foreign; national international; local global;
rural urban; city village; native foreign; import export; imports exports; imported exported; employer employee;
teacher student; teachers students; doctor patient; doctors patients; buyer seller; lender borrower; landlord tenant;
parent child; parents children; majority minority; maximum minimum; most least; many few; much little; full empty;
complete incomplete; completely partly; fully partially; total partial; entire partial; include exclude; included
excluded; includes excludes; including excluding; added removed; add remove; adds removes; adding removing; create
destroy; created destroyed; built demolished; build demolish; construction demolition; appointed dismissed; hired
fired; hire fire; elected defeated; promoted demoted; promotion relegation; promoted relegated; active inactive;
direct indirect; directly indirectly; formal informal; official unofficial; officially unofficially; known unknown;
visible hidden; natural artificial; real fake; original final; permanent temporary; permanently temporarily; married
divorced; marriage divorce; single married; united divided; together apart; same different; similar different;
similarly differently; equal unequal; even odd; odd even; acid alkaline; liquid solid; gas liquid; sweet sour; summer
winter; spring autumn; day night; morning evening; sunrise sunset; daily weekly; weekly monthly; monthly annual;
annual monthly; today yesterday; inner outer; front rear; front back; forward backward; forwards backwards; up down;
upward downward; upstream downstream; ascending descending; upstairs downstairs; lead trail; led trailed; leading
trailing; ahead behind; praise criticism; praised criticized; praise criticise; love hate; loved hated; loves hates;
liked disliked; happy sad; optimistic pessimistic; confirmed denied; confirm deny; confirms denies; admitted denied;
proved disproved; remembered forgot; accelerate slow; accelerated slowed; improve worsen; improved worsened; improves
worsens; improvement deterioration; benefit harm; benefits harms; beneficial harmful; advantage disadvantage;
advantages disadvantages; profit loss; profits losses; surplus deficit; income expenditure; asset liability; assets
liabilities; debit credit; supply demand; senior junior; major minor; primary secondary; main minor; superior
inferior; significant insignificant; significantly slightly; sharply slightly; considerably slightly; rapid gradual;
rapidly gradually; recent ancient; recently formerly; current former; currently formerly; present absent; presence
absence; with without; sufficient insufficient; adequate inadequate; effective ineffective; efficient inefficient;
essential optional; mandatory optional; required optional; voluntary compulsory; conservative liberal; democratic
republican; democrats republicans; democrat republican; catholic protestant; christian muslim; civilian military; army
navy; land sea; vertical horizontal; vertically horizontally; parallel perpendicular; bacteria viruses; bacterial
viral; virus bacterium; symptomatic asymptomatic; infected uninfected; vaccinated unvaccinated; acute chronic; benign
malignant; dominant recessive; mild severe; upregulated downregulated; upregulation downregulation; activate inhibit;
activated inhibited; activates inhibits; activation inhibition; inhibit promote; inhibits promotes; inhibited
promoted; enhance reduce; enhanced reduced; enhances reduces; raise reduce; raised lowered; raises lowers; prevent
cause; prevents causes; prevented caused; maintain lose; attract repel; survive die; survived died; survives dies;
survivors victims; release capture; released captured; freed imprisoned; arrested released; captured escaped;
"""

_UNITS = """
kilometers miles; kilometres miles; km mi; metres feet; meters feet; inches feet; centimeters meters; cm mm; kilograms
pounds; kg lb; grams kilograms; tons pounds; tonnes kilograms; acres hectares; hours minutes; hour minute; minutes
seconds; minute second; days weeks; day week; weeks months; week month; months years; month year; years decades;
decades centuries; decade century; million billion; billion trillion; thousand million; hundred thousand; dollars
euros; pounds dollars; dozens hundreds; hundreds thousands; thousands millions; millions billions; percent times;
celsius fahrenheit; mg g;
"""

_QUANTIFIERS = """
all none; every no; each no; both neither; most few; many no; several no; some no; never often; never always; usually
never; often never; everyone nobody; everything nothing; someone nobody; everywhere nowhere; half all; half most;
nearly exactly; almost exactly; only also; at-least at-most; none all; few many; entirely partly; mostly rarely; twice
once; once twice; twice thrice; double half; doubled halved; tripled doubled; sole joint;
"""

_SYNONYMS = """
began started; begin start; begins starts; big large; film movie; films movies; help assist; helped assisted; bought
purchased; about around; approximately about; located situated; near close-to; however but; many numerous; also too;
show display; received got; become turn-into; found discovered; finished completed; ended concluded; roughly
approximately; during throughout; died passed-away; shows demonstrates; showed demonstrated; children kids; car
automobile; United-States US; used utilized; use utilize; important significant; main principal; primarily mainly;
mostly mainly; often frequently; rapidly quickly; quickly fast; entire whole; well-known famous; famous renowned;
known recognized; created made; build construct; built constructed; city town; physician doctor; physicians doctors;
attorney lawyer; award prize; awards prizes; author writer; job position; wife spouse; husband spouse; company firm;
companies firms; house home; country nation; countries nations; people persons; study investigation; obtain get;
obtained got; require need; required needed; requires needs; sufficient enough; attempt try; attempted tried;
permitted allowed; permit allow; purchase buy; reside live; resided lived; said stated; says states; called named;
contains includes; contain include; additional further; additionally furthermore; therefore thus; because since;
although though; while whereas; such-as like; initially at-first; finally eventually; occurred happened; occur happen;
occurs happens; replied answered; infant baby; illness disease; illnesses diseases; error mistake; errors mistakes;
buy purchase; close near; wealthy rich; difficult hard; amount quantity; led headed; leader head; band group; song
track; songs tracks; album record; game match; games matches; team side; season campaign; goal aim;
"""

_VERBS = """
win won; lose lost; leave left; become became; begin began; make made; take took; give gave; get got; find found;
write wrote; sing sang; sell sold; buy bought; build built; found founded; move moved; die died; marry married;
release released; start started; end ended; open opened; close closed; join joined; play played; receive received;
publish published; create created; direct directed; produce produced; record recorded; sign signed; score scored;
return returned; live lived; work worked; study studied; attend attended; graduate graduated; appear appeared; star
starred; win won; come came; go went; see saw; know knew; say said; tell told; think thought; lead led; hold held;
meet met; run ran; grow grew; fall fell; rise rose; fight fought; defeat defeated; beat beat; invent invented;
discover discovered; design designed; develop developed; introduce introduced; launch launched; use used; show showed;
report reported; suggest suggested; reach reached; serve served; retire retired; establish established; form formed;
name named; call called; announce announced; add added; lay laid; surrender surrendered; choose chose; cost cost; pay
paid; spend spent; teach taught; bring brought; send sent; kill killed; support supported; replace replaced; remain
remained; change changed; contain contained; include included; provide provided; complete completed; perform
performed; describe described; express expressed; cause caused; happen happened; occur occurred; increase increased;
decrease decreased; reduce reduced; visit visited; travel traveled; travel travelled; convert converted; earn earned;
debut debuted; premiere premiered; air aired; sink sank; rule ruled; conquer conquered;
"""

NUMBER_WORDS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def _pairs(table: str) -> list[tuple[str, str]]:
    entries = (entry.split() for entry in table.replace("\n", " ").split(";"))
    return [(e[0].replace("-", " "), e[1].replace("-", " ")) for e in entries if len(e) == 2]


def _both_ways(table: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for left, right in _pairs(table):
        found.setdefault(left, []).append(right)
        found.setdefault(right, []).append(left)
    return {word: tuple(dict.fromkeys(others)) for word, others in found.items()}


OPPOSITES = _both_ways(_OPPOSITES)
UNITS = _both_ways(_UNITS)
QUANTIFIERS = _both_ways(_QUANTIFIERS)
SYNONYMS = _both_ways(_SYNONYMS)
PAST = dict(_pairs(_VERBS))
BASE = {past: base for base, past in _pairs(_VERBS)}

FUNCTION_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "it",
        "its",
        "he",
        "she",
        "they",
        "we",
        "you",
        "i",
        "his",
        "her",
        "their",
        "our",
        "your",
        "my",
        "in",
        "on",
        "at",
        "by",
        "for",
        "with",
        "from",
        "to",
        "of",
        "and",
        "or",
        "but",
        "nor",
        "so",
        "yet",
        "as",
        "if",
        "when",
        "while",
        "where",
        "who",
        "whom",
        "whose",
        "which",
        "what",
        "why",
        "how",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "has",
        "have",
        "had",
        "do",
        "does",
        "did",
        "will",
        "would",
        "can",
        "could",
        "may",
        "might",
        "must",
        "shall",
        "should",
        "not",
        "no",
        "yes",
        "there",
        "here",
        "then",
        "than",
        "also",
        "however",
        "moreover",
        "furthermore",
        "although",
        "though",
        "because",
        "since",
        "during",
        "after",
        "before",
        "until",
        "unless",
        "despite",
        "according",
        "such",
        "each",
        "every",
        "all",
        "some",
        "any",
        "many",
        "most",
        "several",
        "few",
        "both",
        "either",
        "neither",
        "one",
        "two",
        "three",
        "first",
        "second",
        "third",
        "other",
        "another",
        "more",
        "less",
        "only",
        "even",
        "just",
        "still",
        "already",
        "once",
        "under",
        "over",
        "between",
        "among",
        "through",
        "about",
        "against",
        "into",
        "onto",
        "within",
        "without",
        "upon",
        "per",
        "via",
        "thus",
        "hence",
        "therefore",
        "instead",
        "meanwhile",
        "finally",
        "later",
        "earlier",
        "today",
        "currently",
        "recently",
        "historically",
        "generally",
        "overall",
        "see",
        "please",
        "let",
        "unlike",
        "like",
        "given",
        "following",
        "using",
        "based",
        "its",
        "in",
        "addition",
    ]
)
