/* Everyday words for one thing, a line each: what is told with one of them is asked for with another. */
export const synonyms = `
mum mother parent
dad father parent
child kid kiddo toddler youngster offspring
son boy
daughter girl
brother sibling bro
sister sibling sis
husband spouse partner hubby
wife spouse partner
boyfriend partner lover
girlfriend partner lover
grandma grandparent nana
grandpa grandparent
baby newborn infant
family relative household kin relation
friend buddy pal mate companion bestie
acquaintance contact
neighbour neighbourhood
colleague coworker workmate teammate
boss manager supervisor superior chief
employer company firm business corporation
employee staff worker personnel
job work position role post occupation profession career employment
salary pay wage income earnings paycheck
raise rise increase increment
hire recruit employ
fire dismiss sack
quit resign leave
retire retirement pension
promotion promote advance advancement
interview application apply
meeting appointment conference
deadline due
project assignment undertaking
training course lesson class workshop instruction tuition
teacher instructor tutor coach trainer educator
student pupil learner
professor lecturer academic
school academy
university college uni campus
degree diploma qualification certificate certification
exam test quiz assessment
grade mark score result
graduate graduation
thesis dissertation paper
study learn revise
research investigate study explore
scholarship grant bursary
house home residence place
apartment flat condo loft studio
rent lease tenancy
landlord owner proprietor
move relocate
live reside dwell stay
hometown birthplace
room chamber
sofa couch settee
garden yard backyard allotment plot
garage shed carport
renovate renovation refurbish remodel redecorate
repair fix mend restore
build construct erect assemble
buy purchase acquire get
sell sale
shop store boutique
market fair bazaar
price cost fee charge
cheap inexpensive affordable bargain
expensive pricey costly dear
money cash fund funds finances
save saving
debt loan mortgage
budget expense spending
gift present
donate donation contribute contribution
charity nonprofit fundraiser fundraising cause
volunteer volunteering
win victory triumph
award prize trophy medal honour
lose loss defeat
lose misplace mislay
find discover locate
choose pick select opt decide
plan intend intention aim goal
hope wish dream aspire aspiration ambition
want desire wish
try attempt
succeed success achieve achievement accomplish accomplishment
fail failure flop
begin start commence launch
finish end complete conclude
continue carry proceed
stop quit cease halt
create produce craft design
change alter modify switch transform
improve better enhance progress
grow increase expand
reduce decrease cut lower
borrow lend loan
receive obtain
send post ship mail deliver
bring fetch carry
show display exhibit present
hide conceal
break shatter smash crack snap
damage ruin wreck destroy
accident crash collision mishap
fall slip trip tumble
injure injury hurt wound
pain ache hurt sore
ill sick unwell poorly
illness disease sickness condition disorder ailment
doctor physician medic gp
surgery operation procedure
surgeon operate
hospital clinic infirmary
medicine medication drug pill tablet remedy
treatment therapy cure
therapist counsellor counselor psychologist
diagnose diagnosis
pregnant pregnancy expecting
recover recovery heal healing
exercise workout fitness training
gym fitness
run jog sprint
walk stroll hike trek wander
hike trek trail
bike cycle cycling bicycle
swim swimming dip
climb climbing scramble ascend
race competition contest tournament event
match game fixture
team squad side crew
practise practice rehearse rehearsal train
player athlete sportsman
skill ability talent
hobby pastime interest pursuit
activity pursuit
film movie flick
cinema theatre
show series programme
actor actress performer
act perform play
performance show gig concert recital
concert gig
band group ensemble
song track tune
singer vocalist
musician performer
album record
music tune melody
dance dancing
picture photo image snapshot
painting picture artwork canvas
paint draw sketch
artist painter
exhibition exhibit gallery display
poem poetry verse
book novel read
author writer novelist
story tale narrative
magazine journal periodical
newspaper paper
write pen compose author
letter note message
email mail
phone call mobile
call ring telephone
text message sms
talk chat speak conversation discuss discussion converse
speech talk presentation lecture
tell inform mention
ask question enquire inquire request
answer reply respond response
argue argument quarrel fight row dispute
agree agreement consent
apologise apology sorry
forgive pardon
thank grateful gratitude thankful appreciate
congratulate congratulations
invite invitation
visit see stay
meet encounter
guest visitor
party celebration bash
celebrate celebration mark festivity
birthday anniversary
wedding marry marriage
engage engagement fiance propose proposal
divorce separate split breakup
funeral burial
die death dead pass
kill murder
bear birth
adopt adoption
raise rear upbringing
trip journey travel voyage excursion outing getaway
holiday vacation break
tour sightseeing
flight plane fly airplane aeroplane aircraft
airport terminal
train railway rail
car vehicle automobile auto
truck lorry van
motorbike motorcycle scooter
boat ship vessel
bus coach
taxi cab
drive ride
hotel accommodation lodging inn hostel
luggage suitcase bag baggage
camp camping tent
beach coast seaside shore
sea ocean
lake pond
river stream
mountain peak summit
hill slope
forest wood woods woodland
country nation land
city town
village hamlet
abroad overseas foreign
road street lane avenue
path track trail
map chart
food meal dish cuisine grub
eat dine consume
drink beverage sip
cook prepare
bake baking
recipe dish
restaurant eatery diner bistro
cafe coffeehouse
breakfast brunch
dinner supper
lunch luncheon
snack treat nibble
dessert pudding sweet
cookie biscuit
candy sweets chocolate
vegetable veggie veg
vegetarian vegan veggie
diet nutrition
allergy allergic intolerance intolerant
taste flavour
delicious tasty yummy
hungry starving hunger
thirsty thirst
animal creature pet beast
dog puppy pup hound
cat kitten kitty
bird fowl
horse pony mare stallion
rabbit bunny
vet animal
insect bug
plant grow sow
flower bloom blossom
tree sapling
seed sow
crop harvest
weather climate
rain rainy shower pour downpour drizzle
storm thunderstorm gale tempest
snow snowy blizzard
sunny sun sunshine
cold chilly freezing
hot warm heat
fog mist
clothes clothing outfit garment apparel wear
dress gown
trousers pants
jacket coat
shoe footwear boot sneaker trainer
hat cap
jewellery jewelry necklace bracelet ring
glasses spectacles
bag purse handbag
wallet purse
computer laptop pc
device gadget gizmo
software app application program
internet web online
website site page
password login
video clip footage
camera photograph
tv telly television
video game
happy glad joyful delighted pleased
joy happiness delight
sad unhappy upset miserable blue
cry weep tear
laugh laughter giggle
smile grin
angry mad furious cross annoyed
annoy irritate bother bug
scared afraid frightened terrified
fear phobia dread
scare frighten terrify
worry anxiety anxious nervous
stress pressure strain stressed
relax relaxation unwind destress calm
calm peaceful soothing
tired exhausted weary worn
sleep asleep rest nap
awake sleepless insomnia
excite excited exciting thrilled thrilling
bored boring dull
proud pride
ashamed embarrassed embarrassing
lonely alone
surprise surprised surprising astonish astonished
amazing awesome fantastic wonderful great incredible
terrible awful horrible dreadful
beautiful gorgeous lovely pretty
ugly hideous
nice pleasant lovely
funny hilarious amusing humorous
strange odd weird unusual
difficult hard tough challenging
easy simple
challenge difficulty obstacle struggle hurdle
problem issue trouble difficulty
important significant crucial
special particular
famous celebrity
rich wealthy
poor broke
big large huge enormous
small little tiny
long lengthy
fast quick rapid swift
slow sluggish
new recent
old ancient aged elderly
young youthful
strong powerful
weak feeble
clean tidy
dirty filthy messy
full packed
empty vacant
loud noisy noise
quiet silent
bright light
dark dim
early soon
late delayed
often frequently regularly
sometimes occasionally
rarely seldom
favourite prefer preferred
like love enjoy fond adore
hate dislike detest loathe
recommend suggest recommendation suggestion advice advise tip
help assist support aid
support encourage encouragement
motivate inspire motivation inspiration
influence affect impact effect
remind reminder
remember recall recollect memory
forget overlook
believe belief faith
religion faith
church chapel
pray prayer
god deity
spirit spiritual
opinion view viewpoint
idea thought notion
reason cause motive why
result outcome consequence
purpose aim
example instance
part piece bit
amount quantity number
size dimension
colour shade hue
shape form
type kind sort
name call title nickname
age old
date day
birthdate birthday
year annual yearly
month monthly
week weekly
day daily
evening night
morning dawn
weekend saturday sunday
beginning start
member belong join
join enrol enroll register sign
club society association
community group
organize arrange plan
prepare preparation ready
wait await
arrive reach arrival
leave depart departure
return back
enter access
attend attendance
watch view see
listen hear
look stare
hold grip
push shove
pull drag
throw toss chuck
catch grab
jump leap hop
sit seat
stand stance
lie lay
cut chop slice
burn scorch scald
wash clean rinse
steal theft rob robbery burglary thief burglar
crime offence
police cop officer
law legal
lawyer attorney solicitor
court trial
vote election elect ballot
politics political politician government
council mayor
protest demonstrate demonstration march
war conflict battle
army military soldier
right rights equality
environment environmental ecology nature
pollution pollute
recycle recycling
science scientific scientist
experiment trial
discover discovery
invent invention
machine equipment apparatus
tool instrument
engine motor
robot android
electricity electric power
lamp light
key lock
box container crate
bottle jar flask
plate dish
cup mug
pot pan
rubbish trash garbage waste
furniture furnishing
bed mattress
bath bathroom shower
kitchen cooker stove
fridge freezer
window pane
door gate
floor ground
wall fence
roof ceiling
stairs staircase steps
balcony terrace patio
view scenery outlook
countryside rural
downtown centre
area district region
border frontier
island isle
sky heaven
star constellation
moon lunar
earth planet world globe
space cosmos universe
success hit
adventure expedition
risk danger dangerous hazard
safe safety secure
emergency crisis urgent
rescue save
attack assault
lie fib
truth true honest
secret confidential
promise vow pledge
trust confidence
respect admire admiration
courage brave bravery courageous
patience patient
kind generous
clever smart intelligent bright
lazy idle
busy hectic
free spare
rent hire
own possess possession property belongings
belong own
collect gather
collection collector
share split
join connect
send forward
spend splurge
earn make
order purchase
deliver delivery
return refund
pay payment
bill invoice
insurance insure
bank banking
invest investment
wear don
sew stitch tailor
knit crochet
handmade homemade
carve whittle
pottery ceramics clay ceramic
decorate decoration ornament
tattoo ink
hair haircut hairdo
beard moustache
face facial
skin complexion
stomach tummy belly
leg limb
arm limb
head skull
tooth dental dentist
eye vision sight
ear hearing
bone fracture
blood bleed
heart cardiac
brain mental
breathe breath lung
weight heavy
fat overweight obese
thin slim
alcohol booze liquor
drunk tipsy
smoke cigarette tobacco smoking
addict addiction
habit routine
quit stop
meditate meditation mindfulness
journal diary
blog website
channel youtube
podcast radio
news headline
`;
