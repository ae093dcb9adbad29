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
`;
