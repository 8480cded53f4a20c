"""Word lists behind substitution: words too light to be a fact, and words too near for one to be false of the other.

Ours, lower case. Leaves out: what may be written in a word's place as its synonym or opposite (`lexicon`).
"""

from __future__ import annotations

_LIGHT = """
able across actually almost alone along alongside although always amongst anyone anything apart approximately aren
around aside away back became because become becomes becoming been behind being below beneath beside besides best better
beyond called came certain clearly come comes coming commonly considered couldn couple currently didn different done doesn
doing down early else enough entire especially etc ever everyone everything exactly except far featured features
featuring found from further gave generally getting gets give gives giving goes going gone good great greatly having
highly held however include included includes including indeed initially keep kept kind known large largely last late
least left likely little long made mainly make makes making maybe mere merely more mostly much named nearly never
nothing notably often once ones only onto originally otherwise outside over own part parts particular particularly
partly perhaps possible primarily probably quite rather really referred regarding related roughly said same seem seemed
seems seen several show showed showed shown shows similar simply since something sometimes soon sort specific specifically
still such take taken takes taking than that their them themselves thing things thought throughout thus together told
took toward towards typically under unlike until upon used uses using usually various very want well went what whatever
where whether whole whose widely will with within works would yourself himself herself itself myself ourselves yeah
time times people name place places form forms order result results resulted resulting main others current previous
previous present respectively associated example instance need needs needed find finds means meaning additional rest
numerous multiple fact facts total title level levels provide provided provides providing issue issues term terms ability
variety process help helped stated saying says idea ideas instead type types area areas matter matters point points
following followed based asked answer read page click article available
"""

_RELATED = """
releas publish issu unveil launch announc premier debut disclos reveal; begin began begun start commenc launch open
initi; finish ended ending conclu complet terminat ceas; continu remain persist proceed endur; obtain acquir gain
garner receiv earn purchas bought accept attain achiev secur collect; produc develop creat construct built build form
establish found institut devis invent design generat compos introduc coin; shown showing display present demonstrat
exhibit reveal expos introduc; announc declar stated report claim assert noted observ remark argu suggest assum
indicat describ proclaim mention emphasi reveal predict; film movi cinema screen; song tune track; band group ensembl;
group organiz organis team unit crew compan; team squad club side lineup crew; number quantit amount percent
proportion ratio fraction rate figur statist; role charact posit involv particip function; countr nation state; govern
administr authorit presiden; city town municipal metropol borough; area region zone district sector territor vicin
segment domain provin; home hous resid mansion; job jobs labor labour profession occupat career; compan firm business
corporat conglomer enterpris industr supplier; book novel bestseller volum textbook; stor tale narrat plot novel;
death dying fatal mortal died dead; life lifetim lifespan surviv exist live; stud research survey observ investig
examin analy experiment test report review; virus pathogen strain; diseas illness sickness disorder condition epidem
outbreak infect; system network mechanism platform technolog infrastructur method approach techniqu process program
procedur; version edition copy remak rendition translat revis adapt; final ultimat eventual last conclu; original
initial earl former actual; histor heritag record tradit; perform execut play enact implement achiev carri; portray
perform acting acted play voic; help assist support aided back sponsor endors fund financ; major signific huge larg
giant great massive import broad vast substant maximum high; small minor tiny littl miniatur; popular common success
famous promin renown celebr well-known memor prestig; child kids youth young teen; parent relativ famil father mother;
person individual human adult character; popul resid inhabit citizen community; power strength forc energ authorit
might; control regulat manag command direct rule govern influenc; model design structur approach method framework
architectur construct; media press newspap journal; health medic; stage phas step; situat problem case condition
scenario circumst challeng incident; speed velocit pace rate; price cost valu fees rate; line path route border; posit
locat site venu; locat posit situat hous headquart; import signific pivot crucial essent vital key; chang alter shift
modif transform variat transit reform revis vari; increas boost grow grew expand rais enlarg gain strength extend;
decreas reduc lower declin drop reduct; market trade commerc sale business industr econom; caus trigger prompt spark
induc spur; effect impact influenc implic outcom consequen; utiliz employ appl; allow permit enabl; believ think assum
expect consider regard view deem; propos scheme strateg intend hope aim plan project seek sought attempt look tried
tries trying; reach arriv attain enter; sent send deliver transfer convey; kill murder execut slain eliminat; defeat
beat conquer overcom surpass; replac supersed succe substitut; select chosen choos pick appoint nominat elect designat
commission assign; award priz honor honour grant confer troph; mark design sign; tool instrument devic equip machin;
remov exclud eliminat extract delet; rank rated list place; interim provision tempor; regim reign rule govern leader;
watch view observ look; star starr appear; strain stress; sound tone; supersed surpass; appear occur emerg exist
surfac happen; requir demand necess; oblig requir forc compel; contract deal agreem pact settlem treat; argument debat
disput; vote poll ballot elect referend; fight battl combat conflict contest struggl; game match contest tourna
compet; attack raid assault strike; body corps; pictur photo imag; staff personnel crew employ worker faculty; chief
head lead boss direct; member represent; boss manag supervis direct coordin admin; author writer; doctor physician;
opinion vision view; idea concept notion; goal target object aim; quick fast rapid swift; often frequent regular usual
routin; content material text; road highway street rout; building structur hous; element component item section
segment piec aspect; featur characterist propert trait; limit restrict confin; dut responsib function task abilit;
reason factor sourc; law laws legisl bill statut regul; school colleg academ educat institut; student pupil; teach
instruct educat; shop shops stor; boat ship vessel; vehicl automob; aircraft airplan spacecraft; soldier troop
warrior; cash money fund capital; wealth rich; fans support audienc; growth progress develop expans strength; spread
distribut dispers; leav depart resign quit; visit attend tour travel; hurt injur wound damag harm; destroy ruin damag
demolish; protect defend guard defen; link attach connect join; detect identif discover found observ measur recogn
notic; sequen genom gene; maker manufact produc; publish print post reprint distribut; direct script produc; danger
risk threat; sure certain; world planet globe earth univers; beautiful handsom; domest national federal; global
international world; local municipal region; public official government national; initial instant immediat; former
longtim original; song hymn ballad; hard tough difficult; attent import popular; record captur film tape; kind natur
environ; element compon; season year; month week; night evening; stream river; deal trade; scene segment; answer
respon repl; declin refus reject; attempt effort; talk speak spoke discuss; question query; meet hear; couple pair;
crime felon; trust believ; desir wish want hope; gave given grant provid suppl offer; shut clos; ground soil land;
stone rock; street avenu; exact precis; wide broad; compet wrestl; inform data evidenc; experienc encount; opportun
chanc potential; profit revenu earn; tall high; hot warm; duration length; presid leader; critic review; concert gig
show perform; sole single; origin sourc; treatm manag therap; summer season; winter season; leagu championship;
meaning signific; advert promot; accord deal; aircraft craft; harm damage; hope aspir; intent purpos; notab notor;
layer surfac; cover surround; test monitor; event activ; subsidi unit; protect preserv; tend prone; analy character;
post report; think feel; concept propos; accept adopt; presen locat; draw hold
"""

LIGHT_WORDS = frozenset(_LIGHT.split())
"""Words that carry little of their own: another in their place seldom changes what is claimed."""
RELATED = [frozenset(group.split()) for group in _RELATED.replace("\n", " ").split(";")]
"""Beginnings of words that may say the same thing in some place: too near for one to be false where the other is true."""
