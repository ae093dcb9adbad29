/* What is spoken of in the same breath: a question about the one is often answered with another. */
export const associations = `
tired: sleep awake nap rest yawn coffee night exhausted insomnia
sleep: bed night dream pillow snore nap awake insomnia tired alarm
morning: breakfast alarm wake sunrise early
night: dark sleep late moon
job: office boss salary hire interview work career contract shift
office: desk work colleague boss meeting remote
remote: home office online commute
commute: train bus drive traffic bike office
interview: job hire resume cv portfolio company
unemployed: job fired laid redundancy
retire: pension age leisure
business: shop customer sell startup order launch product client
customer: order shop sell client
career: job profession dream study train path
nurse: hospital patient ward shift
hospital: nurse doctor ward surgery patient bed operation
patient: hospital nurse doctor ward
doctor: appointment hospital checkup prescription health clinic
health: doctor diet exercise sick disease blood weight
surgery: hospital operation doctor knee hip recover
injury: hurt broke sprain knee ankle hospital doctor cast bandage
broken: plaster cast fracture repair
pain: hurt ache doctor knee back head tooth
teeth: dentist braces tooth brush
dentist: tooth teeth cavity filling crown
glasses: eye see read lens screen
sick: fever cough doctor bed flu cold
diet: eat food weight sugar meat vegan calorie
weight: diet exercise pound kilo lose
fitness: gym run exercise weight yoga muscle
allergic: nut peanut pollen dust gluten dairy shellfish rash
therapy: therapist session anxiety depression talk counselor
stress: work yoga meditation relax anxiety deadline
anxiety: panic nervous therapy fear calm
relax: yoga bath read music walk meditation nature
grief: died funeral loss miss death
death: died funeral grave lost passed
wedding: bride groom ring dress ceremony married venue honeymoon church guest
married: husband wife wedding anniversary
engaged: ring proposed wedding fiance
dating: date boyfriend girlfriend relationship met
relationship: boyfriend girlfriend partner dating husband wife single
divorce: lawyer split custody ex
pregnant: baby due birth
baby: birth crib diaper pregnant nursery newborn godmother
children: school kid son daughter play kindergarten
birthday: cake party gift present candle turn
party: guest cake music birthday invite celebrate
celebrate: cake party champagne toast dinner
gift: birthday christmas bought wrap surprise gave
christmas: tree gift december santa
holiday: trip beach travel flight hotel
travel: trip flight passport hotel country train abroad visit
trip: drive flight hotel visit road weekend
flight: airport plane pilot ticket passenger
airplane: flight fly airport pilot passenger panic
hotel: room stay night book
camping: tent fire lake lakeshore campfire hike park
hike: trail mountain boots waterfall park
beach: sand sea swim wave sun
sea: wave swim boat fish coast
boat: sail lake sea harbour canal captain
swim: pool lake sea coach
dive: reef sea turtle fish
mountain: hike climb ski peak snow
snow: ski sled winter
weather: rain sun umbrella cold hot snow
rain: umbrella wet poured
city: live move downtown
move: house apartment city box new pack
house: rent mortgage garden roof bedroom buy move
apartment: rent landlord lease bedroom floor
landlord: rent lease flat deposit
renovation: kitchen floor paint wall tile bathroom
neighbour: next door fence street noise
garden: plant flower vegetable tomato grow soil bed weed greenhouse shed
vegetable: garden grow harvest
plant: seed pot soil water grow garden
harvest: crop garden vegetable
pet: dog cat vet adopt shelter leash
dog: walk leash puppy bark vet trainer park
cat: purr litter vet kitten
vet: dog cat pet sick
shelter: adopt dog cat volunteer homeless
adopt: shelter dog child agency puppy
obedience: dog trainer sit
school: teacher class kid grade homework
university: study degree professor campus semester student thesis
graduate: degree ceremony university
exam: study pass fail test
student: school university class
education: school university degree study college
major: university study degree
learn: class lesson course study teach
language: speak learn lesson fluent duolingo
teach: class student school lesson
book: read author library chapter page novel bookstore cover
read: book novel author page
author: wrote book novel
library: book read shelf
write: book poem story novel publish blog
poem: wrote publish magazine read
publish: magazine book article
movie: watched cinema actor director screen
watch: movie series show episode netflix
tv: watch series season episode
music: song band concert album listen guitar playlist
concert: band music ticket sang stage venue gig tour
band: guitar drummer song play rehearse gig
sing: song choir voice karaoke
choir: sing concert church
instrument: play lesson learn music
perform: stage audience concert play sang
audience: people stage show crowd came
theatre: play stage actor role
actor: role play film
dance: class ballet music partner
paint: brush canvas color easel watercolor landscape portrait
art: painting museum gallery exhibit artist
pottery: clay kiln bowl mug vase wheel glaze
knit: yarn scarf sweater wool needle
sew: quilt dress fabric machine
photography: camera picture photo shoot lens
camera: photo picture lens
craft: make handmade sell
game: play level console board player
chess: club play tournament opponent
sport: team play match coach training
football: goal match team league
basketball: team hoop score game
team: coach captain win player
coach: train team practice
match: won lost score goal
marathon: run kilometre mile training finish
run: marathon race kilometre mile shoes park
race: run finish marathon medal time
bike: ride helmet tire wheel pedal
gym: weight trainer membership
yoga: class mat pose stretch
climb: rope wall mountain
horse: ride stable
cook: recipe kitchen dinner oven stove
bake: cake bread oven cookie
recipe: ingredient cook bake
restaurant: table menu waiter dinner food ate
dinner: cooked ate restaurant
coffee: caffeine cafe morning espresso
tea: kettle cup
drink: bar glass bottle cocktail tea coffee
alcohol: drink sober bar
smoke: cigarette quit
quit: smoking job gave
shop: bought store sell
buy: bought store new price
sell: sold online market buyer
money: pay cost save bank dollar budget salary
save: money jar account
cost: dollar euro pay price hundred thousand
debt: loan pay credit
invest: stock fund
stolen: thief police wallet bike
robbed: thief stolen police wallet pickpocket
steal: thief stolen police pickpocket
police: officer stolen report
accident: car crash hospital hit
car: drive garage engine tire mechanic gearbox license road
mechanic: car repair engine
drive: car road license
vehicle: drive garage engine gearbox repair
driving: license test lesson
phone: screen call app battery dropped number
computer: laptop screen keyboard update
laptop: screen battery update keyboard
app: phone download
code: program software developer computer
software: code developer app program
clothes: wear wardrobe shop dress
wear: dress shirt shoes
hair: cut dyed barber color salon
tattoo: arm shoulder design ink
jewelry: ring necklace wear stone
furniture: chair table sofa shelf ikea
bedroom: bed sleep
kitchen: cook stove oven
roof: attic leak
environment: climate recycle energy solar wind plastic
energy: solar wind power
climate: warming environment
volunteer: shelter charity help community soup kitchen homeless
charity: donate volunteer raise run
donate: charity money blood clothes
raise: money charity fund
community: group neighbour support volunteer
politics: council mayor vote party election run
council: town run election mayor
vote: election
church: pray sunday mass faith priest
faith: church pray god
support: group help friend
dream: wish hope career future
future: plan hope next
goal: plan achieve want next
proud: achievement medal won
success: sold won award
win: prize medal first trophy
award: won ceremony prize
prize: won contest
contest: won prize judge second
achieve: finished won goal
fear: scared phobia panic nervous afraid
scared: spider dark height fear
nervous: hands shook stage speech
surprise: party gift
memory: remember childhood
childhood: grew young kid small
youth: young teenager school
grow: childhood
hometown: grew born
born: birth hospital
origin: from born grew
family: parents kids sister brother cousin
parents: mum dad mother father
brother: sister sibling family
mother: mum mom
friend: met friendship school
meet: met introduced first
met: introduced
argue: fight angry
apologise: sorry
advice: told should suggest try
suggest: should try
opinion: think love hate
favourite: love best most
like: love enjoy best
enjoy: fun love loved
interest: love learn
hobby: started love weekend spare club class
club: join member meet book
weekend: saturday sunday friday
day: monday tuesday wednesday thursday friday
date: january february march april june july august september october november december
when: yesterday last week month
colour: red blue green yellow
age: turned years old
old: turned years
height: tall
size: big small
duration: hours days weeks months years
temperature: degrees cold hot
animal: wild zoo pet
wildlife: animal bird forest
bird: feather nest wing egg
space: star telescope planet rocket
star: telescope sky
telescope: star moon planet saturn
science: lab research experiment
research: study lab paper university station
invention: machine idea
conference: talk speaker paper
presentation: slides audience talk whiteboard
meeting: zoom agenda boss
deadline: project late
project: work team build
promotion: manager raise senior title
insurance: claim policy car health
passport: travel visa
visa: embassy country
immigrate: visa country moved abroad
military: army served soldier
court: judge lawyer
lawyer: court case
accommodation: hotel hostel airbnb caravan tent stay
transport: bus train car bike
ghost: haunted scary story
costume: halloween dress
museum: exhibit art history
exhibition: gallery painting museum
festival: music tent stage
bedtime: sleep story
noise: loud neighbour
lost: found wallet keys phone
found: discovered
repair: fixed broke mechanic tool
broke: fixed repair
clean: vacuum wash dust
water: glass bottle swim
fire: smoke burn camp flame
cold: winter ice snow
hot: summer heat sun
summer: beach vacation sun
winter: snow ski cold
spring: flower bloom
autumn: leaf harvest
abroad: country visa move expat foreign semester
accident: crash bike fell car collision ambulance
accountant: tax finance numbers
address: street house number live
adventure: trip hike jungle climb explore
aeroplane: flight pilot airport seat
afternoon: lunch tea nap
alarm: wake clock morning
album: record song photo
ambulance: hospital emergency siren
ancestor: grandfather family tree origin
anniversary: wedding married years party
appliance: kitchen broken plug buy
application: job letter form university
appointment: doctor dentist clinic calendar
aquarium: fish tank shark
architecture: building design house
argument: fight angry shouted quarrel
arrival: airport landed came
artist: painting gallery studio draw
athlete: sport training medal
auction: bid sold antique
award: best film actor
award: prize honour ceremony speech
babysit: kids children evening niece nephew
back: spine pain lift
backyard: grass fence swing grill
bag: carry packed leather
bakery: bread cake bun
bank: account loan money clerk
barbecue: grill sausage friends garden
bathroom: shower tub towel
battery: phone charge empty
beard: shave barber
bed: sleep mattress pillow
beer: brewery pub pint
bill: pay electricity month
birth: born baby hospital midwife
bite: dog teeth wound
blanket: warm knit crochet sofa
block: street city
blood: donate test pressure iron
body: muscle skin weight
boil: water pasta egg
bookshop: book novel shelf
border: country passport cross
boring: sleep lecture
boss: strict office meeting promoted yelled
breakfast: egg toast cereal pancake coffee
breakup: ex boyfriend girlfriend cry
bride: dress wedding groom
bridge: river cross
brand: bought model
budget: month spend save
building: floor storey office roof
burn: oven fire hot hand stove
bus: stop driver line
cake: birthday bake candle chocolate
calendar: date appointment month
cancel: flight trip event rain
candle: wax light birthday
car: brand bought sold driver seat
card: birthday credit post
carpenter: wood furniture table
carrier: phone provider contract
castle: king tower ruin
ceremony: wedding graduation award tea
chair: sit wood rocking
champion: won title trophy
chat: friend phone message
cheese: milk sandwich goat
chef: restaurant kitchen cook
childcare: daycare nanny kindergarten
choir: voice solo rehearse
circus: clown tent trapeze
city: visit flight trip
class: pottery yoga cooking language dance
climb: summit stairs ladder
clinic: doctor nurse appointment
clock: time alarm
clumsy: dropped fell spilled
coast: walk lighthouse cliff
coat: winter wool
coin: collect
collect: stamps coins vinyl records cards
college: student dorm degree freshman campus tuition
colleague: office desk team lunch
comedy: funny laugh standup
company: founder boss employees startup office
competition: contest won second trophy judge entered
complaint: letter refund rude manager
composer: symphony piano
concert: guitar album fan encore
contest: judge entered second won
contract: sign job lawyer
conversation: talked phone told
cottage: country weekend garden
counselor: anxiety talk session
country: visited flew passport born
court: lawyer judge divorce
cousin: aunt uncle wedding
crash: car bike hospital
crime: police stolen murder
crowd: people concert stadium
cruise: ship deck island
cry: tears sad film funeral
curtain: window stage
customer: restaurant market order
cut: knife finger blood
daycare: toddler kids children
dead: funeral lost passed grave
deadline: thesis report submit
deaf: sign language
deliver: package parcel flowers pizza driver
dentist: wisdom drill
depression: therapy medication sad
design: logo architect draw
desk: office chair lamp
destroy: ate chewed broke fire
detective: crime mystery novel
device: phone tablet gadget bought
diagnose: doctor test told cyst diabetes
diary: write night page
die: grandmother grandfather funeral cancer
director: film company school
disappoint: sad lost failed cancelled
disaster: burned broke flood
discipline: strict rule
discount: sale percent coupon
dish: cook pasta soup recipe
distance: kilometre mile run
disturb: noise loud neighbour drum
doctor: told tablets test
dog: bark tail breed park bone
door: key lock knock
download: app phone file
dream: night hope travel open
dress: red wedding silk
driver: bus taxi truck
drought: water dry
drum: band beat noise
duck: pond
duet: sing
ear: headphones deaf earplug
earn: salary paid hourly
earthquake: shook
eat: lunch dinner food restaurant meal
editor: newspaper magazine
election: president campaign
electric: battery charge car
elephant: zoo safari
email: inbox sent
embarrass: forgot fell red fainted
emergency: hospital ambulance fire
emigrate: country left moved
employ: hired job staff
energy: tired coffee exercise
engine: car broke oil
equipment: tent camera gear
escape: ran cage
essay: write school
europe: trip backpack train
evening: dinner tv walk
exam: nervous passed studied prepare
excited: wait soon
exercise: run yoga gym stretch walk morning
exhausted: shift night marathon worked
ex: divorce breakup
expensive: paid dollars cost price
experience: worked years job
explore: cave city forest
eye: glasses see contact lens
face: mask cream
factory: machine worker
faint: dizzy fell blood
fairy: tale tooth
famous: star actor singer met
farm: cow tractor milk goats
fashion: clothes design dress
father: retired workshop taught
fence: garden wood paint
ferry: island commute
festival: weekend camp band
fever: sick bed thermometer
field: study degree
film: documentary scene cinema
fine: ticket police parking
finger: ring cut
fire: brigade truck burned house
firefighter: brigade fire station
fish: caught river hook
fitness: marathon steps trainer
flat: rent flatmate city
flatmate: flat rent share kitchen
flood: basement water rain
floor: wood parquet carpet tile
florist: flower bouquet
flour: bread cake dough
fly: airport plane wing
fog: morning drive
foot: toe shoe ankle
footwear: shoes pair boots
forest: hike mushroom tree
forget: keys speech name
fortune: money luck
friend: together childhood reunion friendship trip
friendship: friend years met
frog: pond
frost: cold garden winter
fruit: jam juice tree orchard market basket
fun: laugh party games
funeral: eulogy flowers church
gallery: exhibition sold
gamble: casino poker
garage: car tools
garbage: bin truck
gas: car price
germany: berlin munich hamburg
ghost: story night
girl: daughter niece
glass: window wine broke
goat: milk cheese farm
god: church pray
golf: club course
grade: test school
graduate: cap gown
grandchild: grandson granddaughter
grandma: recipe knit sweater
grandpa: war story workshop
grape: wine
grass: mow
greece: athens island
grill: barbecue meat
group: members met weekly
guest: dinner wedding house stayed
guide: tour museum
guitar: string chord lesson
habit: every morning stop
hair: red blond curly
halloween: pumpkin costume candy
handicraft: knit sew carve
happy: smile proud glad cried
harbour: ship boat
hat: wool straw
haunted: ghost house
headache: glasses screen coffee pills
hear: noise ear
heart: attack love beat
heirloom: grandmother inherited ring
helmet: bike
help: volunteer friend neighbour moved
highlight: best favourite loved
hill: climb view
history: war museum century ancient
hobbies: weekend club
hole: dig sock
home: moved bought house
homework: kids math
honey: bee jar
honeymoon: beach island married
hospital: visited ill
host: party guests dinner
hotel: pool beach breakfast
house: garden floor rooms
housework: clean laundry
hurricane: wind roof
husband: married wedding
ice: skate cream cold
identity: gender accept
idol: singer fan
illness: doctor hospital tablets
india: delhi mumbai curry
industry: company field
infection: antibiotic
ingredient: recipe add
inherit: grandmother aunt died left
injury: stitches cast crutches ambulance urgent
insect: sting garden
inspire: story book mother teacher
instructor: lesson class teaches coach
instrument: string practise teacher orchestra
insurance: car accident paid
internet: wifi router
interview: nervous questions office
invest: money fund shares
invitation: wedding party
island: ferry beach
italy: rome pasta venice
jail: prison crime
jam: fruit jar plum
japan: tokyo sushi kyoto
jealous: friend ex
jewel: ring stolen
joint: knee hip pain
joke: laugh
journalist: newspaper article
journey: train days
juice: orange
jump: parachute
kenya: nairobi mombasa safari swahili
key: lost door
kid: school toy playground
kidney: stone
kiss: first date
kitchen: table sink
knee: injury pain stairs
ladder: fell roof
lake: swim cabin boat
lamp: light desk
land: airport
language: course parents grammar class
late: bus overslept
laugh: joke funny
laundry: wash machine
lawyer: bar divorce
leak: pipe roof dishwasher
lecture: professor
leg: broke
leisure: weekend hobby
lens: camera eye
lesson: piano driving teacher swimming
letter: post wrote
library: book quiet
licence: driving
light: window lamp
listen: song podcast
living: job work earn
loan: house bank car
lottery: won
love: married romantic met
luck: won
luggage: airport lost
lunch: sandwich
lung: smoke
machine: broke repair washing
magazine: article poem
mail: parcel
makeup: lipstick
manager: promoted team
map: hike lost
market: farmers stall vegetables
massage: back relax
math: numbers school
meal: cooked dinner delicious
measure: metre size
meat: vegetarian butcher grill
medal: race gold
medicine: tablets doctor
medication: tablets pills prescribed
meditation: breathe morning calm
memory: photo album
menu: restaurant
message: phone text
metal: band steel
milk: cow coffee
miss: friend home bus
mirror: glass
mistake: wrong sorry
mobile: phone provider
model: car pose
money: earn spend dollars lottery
monkey: zoo jungle
moon: night telescope
mosquito: bite
mother: taught recipe
motorbike: helmet ride
mouse: trap cheese
move: boxes truck city
mug: coffee
murder: crime
muscle: gym protein
mushroom: forest
musician: plays band piano
name: called named
nanny: kids
nature: walk forest bird
neck: pain
nephew: brother sister aunt
nest: egg bird
newspaper: article morning
niece: sister brother aunt
nickname: call called
nightmare: scream
noisy: drum party neighbours
nose: broken smell
novel: author writing
number: dollars years
nut: allergic
nutrition: protein vegetables
occupation: works engineer nurse teacher pilot
ocean: surf whale
office: building floor
oil: car
olympics: medal
onion: cry
opera: singer stage
operation: surgeon anaesthetic
orchestra: violin concert
order: online pizza
origin: country village
orphan: adopted
outdoor: terrace garden hike camp
outfit: dress suit
oven: bake broke
owner: house shop dog
pack: suitcase boxes
package: delivered
pain: tablets physio
pancake: syrup
panic: attack
parade: costume street
parcel: post
parking: car ticket
partner: girlfriend boyfriend
passenger: train plane bus
passion: love hobby
passport: expired
past: used ago
patient: nurse
pay: card bill
peace: quiet calm
pen: write ink
performance: applause stage
perfume: smell
personality: shy kind funny
phone: charger stolen
photographer: wedding portrait
physio: knee shin exercise
physics: teacher school
piano: keys lesson
picnic: park blanket
picture: painted frame wall
pillow: bed
pilot: plane captain
pizza: cheese italian
place: visited
plane: seat window
planet: orbit telescope
plate: broken dish
platform: train
playground: swing kids
pocket: keys
poet: poem verse
poison: plant dog
pool: swim hotel
poor: money
portrait: painting photo
positive: test
post: parcel card
pot: plant clay
potato: soup
power: outage electricity
prank: joke
present: wrapped birthday scarf book
pressure: blood work
printer: paper
prison: crime
problem: broke broken leak trouble
profession: studied trained nurse pilot
promise: promised
protect: fence helmet
protein: lentils eggs
proud: graduated won
psychologist: session therapy
public: stage speech
pumpkin: soup halloween
puppy: chewed breeder
purse: stolen
puzzle: pieces
quarrel: angry sister
question: answer
quilt: fabric grandma
rabbit: carrot hutch
radio: music old
rain: wet storm
raise: boss percent negotiated
ramen: noodle
rash: skin allergic
rat: cage
reason: because
recipe: grandmother soup
recover: weeks hospital rest
relative: uncle aunt cousin grandmother
religion: church god
remedy: tea
renovate: paint tiles kitchen
rent: month euros dollars
repair: shop cost plumber
rescue: dog firefighter shelter
research: university professor
resort: beach ski
rest: sleep sofa
restaurant: waiter chef italian thai
retire: gardening
reunion: classmates school
reward: treat
rice: curry
rich: money
ride: horse bike
ring: finger gold
risk: danger doctor
river: swim canoe bridge
road: trip
robot: lego
rock: band climb
role: hamlet played
romantic: candle dinner
roommate: flat dorm
rose: red garden
rude: waiter
run: morning
russia: moscow
safari: lion
sail: wind boat
salary: negotiate
salmon: dish
salt: sea
sandwich: bread
saturn: ring
sauce: pasta
scar: accident
scarf: knitted
schedule: week
science: physics chemistry
scold: told strict
scooter: helmet
scotland: edinburgh
sculpture: clay stone
seafood: shrimp
season: spring summer
seat: plane
secret: told
serve: army
shampoo: hair
sheep: wool
shelf: book
shell: beach
shift: nurse night
ship: captain
shirt: cotton
shower: bath
shy: quiet
sibling: older younger twin
sign: language
signature: contract
silver: ring
singer: album
skateboard: trick
skin: cream sun
skirt: fabric
sky: stars
smell: kitchen
snake: scared
soap: handmade
soccer: goal kids
society: club member
sock: knitted
sofa: sleep
soil: plants
soldier: war
solo: sing
soup: cook lentil
spain: madrid barcelona
speaker: conference
speech: nervous wedding toast
spicy: chilli curry
spider: web
spill: wine coffee
spine: back
sponsor: charity
squirrel: tree
stadium: match
stage: theatre
stain: wine
stamp: collection
startup: founder investor
station: train
statue: park
sting: bee
stitch: wound
stock: invest
stomach: ache
storm: tree roof power
story: told
stove: gas
stranger: met
street: musician
stretch: back
strict: teacher
student: exam
subject: teacher maths
suburb: house
success: proud
sugar: sweet
suit: wedding
suitcase: lost
summit: climbed
sunburn: beach
sunset: beach
supermarket: cashier
supervisor: phd
surf: wave board
surgery: recovery
swim: turtles
sweden: stockholm
switzerland: zurich geneva
symptom: doctor
table: wood
talent: sing
tall: metre
tattoo: ankle wrist
tax: accountant
taxi: driver airport
teach: piano
teacher: school math piano
tear: cried
technique: learned showed
technology: computer
teenager: daughter son
television: series
temperature: fever
tent: camping
test: doctor result
texture: soft
thailand: bangkok
theft: stolen police bike
thesis: submitted
thirsty: water
thread: sew
thunder: dog
ticket: concert train
tie: suit
tile: bathroom
tool: garage
tooth: fairy dentist
tourist: city museum
towel: beach
toy: lego doll
tradition: grandmother christmas
traffic: late
trail: forest
train: ticket station
trainer: gym dog
trait: strict patient
transplant: kidney
trash: bin
trauma: drowned accident childhood
treatment: doctor hospital tablets
tree: apple climb
trouble: problem fight
truck: driver
truth: lied
tuition: university
turkey: istanbul
turtle: beach sea
twin: sister brother
umbrella: rain
uncle: aunt cousin
uniform: school
universe: stars
upset: cried lost angry
vacation: camping lake beach cruise
valley: hike
vampire: movie
van: camper
vase: flowers
vegetarian: meat tofu
venue: hall stage
vet: injection
victory: won beat
video: youtube
view: window balcony
village: church small
vinyl: record
violin: lesson
virus: sick
visit: weekend came museum
vitamin: tablets
voice: sing
volcano: hike
wage: hourly
wait: line
waiter: tip
walk: dog
wall: paint
wallet: lost stolen
war: soldier
wardrobe: clothes
wash: machine
watch: gift
waterfall: swim
wave: surf
website: online
weekday: monday thursday
weird: dream
whale: sea boat
wheel: bike
wild: animal
wind: kite
window: view
wine: bottle
wish: birthday
wood: carve
wool: knit
worker: factory
workshop: weekend learned
world: travel
worry: money exam
wound: stitches
yard: grass
yarn: knit
yoga: breathing
zoo: lion
`;
