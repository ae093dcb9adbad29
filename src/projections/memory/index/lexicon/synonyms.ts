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
godparent godmother godfather
stepparent stepmother stepfather
cousin relative
widow widower
teen teenager adolescent
adult grown
elder senior elderly
man guy bloke gentleman
woman lady
crowd audience spectators
leader head captain chair
founder found establish
owner own
fan supporter enthusiast admirer
expert specialist professional
beginner novice
winner champion victor
runner second
opponent rival
thief burglar pickpocket robber
hero idol
foreigner immigrant emigrant expat
immigrate emigrate move immigration
citizenship nationality citizen
origin roots ancestry heritage descent
culture tradition custom
language tongue
accent dialect
translate interpreter translator
pronounce pronunciation
vocabulary word
signature sign
document file paper
form questionnaire
certificate licence license permit
passport visa
ticket pass admission
reservation booking book reserve
itinerary schedule timetable
journey commute
departure leave
crossing cross
bridge viaduct
motorway highway freeway
petrol gas fuel gasoline
garage mechanic
tyre tire wheel
brake stop
helmet headgear
licence license
fine penalty ticket
parking park
pedestrian walker
traffic jam congestion
tank aquarium
cage hutch
leash lead
breed race
feed food
train teach coach
tame domesticated
wild feral
hunt hunting
fishing angling fish
boat sail sailing
row rowing paddle
dive diving snorkel
skate skating
ski skiing
sled sledge sleigh
tournament championship cup
league division
score goal point
defeat beat loss
draw tie
coach trainer
referee umpire
stadium arena
jersey shirt kit
medal prize
stretch yoga pilates
muscle strength
sweat perspire
injury sprain strain twist
bandage plaster cast
wheelchair crutch
ambulance paramedic
vaccine vaccination jab shot
infection virus germ
fever temperature
cough cold flu
headache migraine
stomachache nausea
vomit sick
dizzy faint
rash itch
swelling swollen lump
cancer tumor tumour
diabetes diabetic sugar
blind sight
deaf hearing
depression depressed
grief mourning mourn
trauma traumatic
nightmare dream
snore snoring
pillow cushion
blanket duvet quilt
wake rise up
late tardy
hurry rush
delay postpone
cancel call off
reschedule postpone
appointment booking
calendar diary planner
remember remind
learn discover find
teach instruct
explain clarify
persuade convince talk
influence inspire
encourage urge
forbid ban prohibit
allow permit let
refuse reject decline
accept agree
admit confess
deny refuse
accuse blame
defend protect
guard protect shield
warn caution
scold rebuke tell
praise compliment
criticise criticize complain
complain complaint grumble
insult offend offended
joke kidding humour humor
prank trick
whisper murmur
shout yell scream
sing singing
hum whistle
clap applaud applause cheer
dance waltz
stage scene
script screenplay
director filmmaker
episode instalment installment
season series
sequel follow
character role part
costume outfit
makeup cosmetics
hairdresser barber
perfume scent fragrance
smell odour odor stink
touch feel
taste flavour flavor
sour bitter
spicy hot
salty salt
sweet sugary
raw uncooked
fresh new
rotten spoiled
frozen freeze frost
boil cook
fry roast grill
bake oven
stir mix blend
peel slice
serve dish
waiter waitress server
menu card
tip gratuity
leftovers remains
portion serving
feast banquet
picnic barbecue
pub bar tavern
brew brewery beer
wine vineyard
toast cheers
sober dry abstain
hangover drunk
caffeine coffee
kettle teapot
spoon fork cutlery
knife blade
bowl basin
tray platter
cupboard closet wardrobe
shelf bookcase bookshelf
drawer chest
curtain blind
carpet rug
lamp lantern
candle wax
fireplace chimney
heater radiator heating
attic loft
basement cellar
hallway corridor
porch veranda
pool swimming
lawn grass
hedge bush shrub
greenhouse glasshouse
compost soil dirt earth
fertilizer manure
shovel spade
weed weeds
pest slug snail aphid
bouquet flower
herb herbs
petal blossom
branch twig
leaf foliage
root roots
nut nuts
berry strawberry raspberry blueberry
grain wheat
flour dough
farm ranch farmer
barn stable
field meadow
hay straw
milk dairy
wool yarn
thread string
needle pin
fabric cloth textile material
leather suede
button zip
pocket pouch
umbrella parasol
backpack rucksack
basket hamper
toy doll
puzzle jigsaw
balloon kite
swing slide playground
nursery kindergarten daycare preschool
homework assignment
lecture seminar
term semester
classmate schoolmate
headmaster principal
library bookshop
dictionary encyclopedia
chapter section
title headline
cover jacket
publish print release
editor publisher
draft manuscript
reader audience
subscribe subscription
download upload
screen display monitor
keyboard type
mouse trackpad
printer print
battery charge charger
update upgrade
crash freeze
virus malware
backup save
data information
code coding programming program software
developer programmer coder
website webpage
search google
social network
post publish share
follower fan
photo selfie
edit cut
microphone mic
headphones earphones earbuds
speaker loudspeaker
volume loudness
radio broadcast
newspaper press
journalist reporter
interview question
survey poll questionnaire
statistics figures
percent percentage
half fifty
dozen twelve
couple two pair
hundred century
double twice
quarter fourth
metre meter
kilometre kilometer km
kilo kilogram kg
mile miles
pound pounds lb
dollar buck usd
euro euros
cent penny
deposit advance
refund reimburse
discount sale reduction
auction bid
charity shop secondhand
secondhand used thrift vintage
antique vintage old
brand label make
quality standard
warranty guarantee
manual guide
customer client
supplier vendor
warehouse storage depot
factory plant
office workplace
desk table
shift rota
overtime extra
colleague team
intern trainee apprentice apprenticeship
freelance freelancer selfemployed
unemployed jobless
redundancy layoff fired
strike protest
union guild
contract agreement deal
negotiate bargain
profit gain
bankrupt bankruptcy broke
tax taxes
inheritance inherit will
poverty poor
homeless shelter
refugee asylum
orphan orphanage
elderly nursing
priest pastor vicar minister
mosque temple synagogue
ritual ceremony
saint holy
angel heaven
devil hell
ghost spirit haunted
magic wizard
myth legend
fairy tale
dragon monster
king queen royal
prince princess
castle palace
knight sword
battle fight
gun weapon
bomb explosion explode
prison jail
guilty guilt
innocent innocence
witness testify
detective investigator
clue evidence
mystery puzzle
treasure gold
pirate sailor
captain skipper
crew staff
harbour harbor port dock pier
lighthouse beacon
wave surf
tide current
sand dune
shell seashell
reef coral
desert sahara
jungle rainforest
canyon gorge valley
waterfall cascade
glacier ice
volcano lava
cave cavern
earthquake quake
flood flooding
drought dry
hurricane cyclone
lightning thunder
rainbow arc
sunrise dawn
sunset dusk
aurora northern
eclipse shadow
telescope binoculars
rocket spaceship
astronaut cosmonaut
satellite orbit
laboratory lab
chemistry chemical
biology biological
physics physical
mathematics math
history historical
geography geographical
philosophy philosopher
psychology psychologist psychological
economics economy economist
architecture architect
engineering engineer
medicine medical
law lawyer
nursing nurse
teaching teacher
acting actor
journalism journalist
photography photographer
carpentry carpenter woodwork
plumbing plumber
sewing seamstress tailor
baking baker bakery
butcher meat
florist flower
pharmacy pharmacist chemist drugstore
bookstore bookshop
grocery groceries supermarket
hardware tools
laundry washing
vacuum hoover
dust dusty
stain spot
iron ironing
rubbish bin
plumber pipe leak
electrician wiring
leak drip
mould mold damp
crack flaw defect fault
scratch dent
rust rusty
sharp pointed
blunt dull
smooth soft
rough coarse
wet damp soaked
dry arid
heavy weighty
light weightless
thick dense
narrow tight
wide broad
deep depth
shallow low
tall high height
short brief
round circular
square rectangular
straight direct
curved bent
crooked bent askew
upside inverted
inside indoor indoors
outside outdoor outdoors
upstairs above
downstairs below
nearby close near
distant far remote
north northern
south southern
east eastern
west western
central middle centre
first initial
final last
previous former earlier
original first
usual normal typical
rare uncommon
unique special
perfect ideal
wrong incorrect mistake error
mistake error slip
correct right accurate
possible likely
certain sure
doubt uncertain unsure
guess suppose
curious curiosity
attention focus concentrate
memory memories
imagine imagination
creative creativity
idea inspiration
wise wisdom
foolish silly stupid
polite courteous
rude impolite
honest sincere
selfish greedy
jealous envy envious
shy timid introvert
confident confidence
humble modest
stubborn obstinate
strict stern
gentle tender
cruel mean
loyal faithful
independent freedom
responsible responsibility duty
careful cautious
careless reckless
clumsy awkward
neat orderly
punctual time
lucky luck fortune
unlucky misfortune
superstition superstitious
tradition ritual
weekly week
daily day
monthly month
yearly annually
midnight night
noon midday
weekday monday
century hundred
decade ten
spring springtime
summer summertime
autumn fall
winter wintertime
christmas xmas
easter egg
halloween pumpkin
thanksgiving turkey
valentine romantic
romance romantic love
kiss hug embrace cuddle
flirt date
crush infatuation
breakup split
honeymoon trip
bride groom
bridesmaid bestman
vow promise
veil dress
toast speech
`;
