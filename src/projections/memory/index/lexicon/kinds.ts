/* What something is called, and what there is of it: asked for by its kind, it is told of by its name. */
export const kinds = `
animal creature pet wildlife: dog cat rabbit hamster guinea gerbil mouse rat ferret hedgehog turtle tortoise lizard gecko snake frog toad fish goldfish parrot budgie canary horse pony donkey cow calf pig sheep lamb goat chicken hen rooster duck goose turkey llama alpaca deer moose elk bear wolf fox squirrel raccoon badger otter beaver seal whale dolphin shark penguin eagle hawk owl crow raven pigeon swan heron flamingo peacock elephant lion tiger leopard giraffe zebra hippo rhino monkey gorilla chimpanzee kangaroo koala panda crocodile bat bee butterfly ant spider snail octopus crab jellyfish
bird: parrot budgie canary eagle hawk falcon owl crow raven magpie pigeon dove sparrow robin finch swallow swan duck goose heron stork flamingo peacock penguin puffin seagull gull chicken hen woodpecker hummingbird kingfisher
insect bug: bee wasp ant butterfly moth fly mosquito beetle ladybird ladybug grasshopper cricket dragonfly spider tick flea cockroach termite slug
dog breed: labrador retriever poodle beagle terrier bulldog dachshund husky collie shepherd spaniel corgi chihuahua pug greyhound boxer dalmatian rottweiler mutt
fish seafood: salmon tuna cod trout herring mackerel sardine shrimp prawn crab lobster oyster mussel clam squid octopus anchovy halibut carp
livestock farm: cow calf bull pig sheep lamb goat chicken hen horse donkey duck goose turkey cattle
reptile: snake lizard gecko turtle tortoise crocodile alligator iguana chameleon
plant flower: rose tulip daisy lily sunflower orchid lavender daffodil violet poppy iris dahlia peony geranium jasmine cactus succulent fern ivy basil mint bonsai
tree: oak pine maple birch willow elm ash cedar fir spruce palm cherry apple chestnut beech
vegetable veggie crop: tomato potato carrot onion garlic pepper chilli lettuce spinach kale cabbage broccoli cauliflower cucumber zucchini courgette aubergine eggplant pumpkin squash pea bean lentil beetroot radish celery leek mushroom corn asparagus turnip
fruit: apple pear banana orange lemon lime grape strawberry raspberry blueberry blackberry cherry plum peach apricot mango pineapple melon watermelon kiwi fig date coconut pomegranate cranberry avocado grapefruit
nut: almond walnut peanut cashew hazelnut pistachio pecan
herb spice: basil mint parsley thyme rosemary oregano coriander cilantro cumin turmeric cinnamon ginger saffron paprika vanilla nutmeg dill sage
meat: beef pork lamb chicken turkey bacon ham steak sausage veal venison duck mince
food dish meal cuisine: pasta pizza lasagna spaghetti noodle ramen sushi curry soup stew salad sandwich burger taco burrito rice risotto paella dumpling omelette pancake waffle pie casserole roast barbecue kebab falafel hummus tofu bread cheese egg lentil chili gnocchi quiche porridge
ingredient: flour sugar butter egg milk yeast salt cream oil vinegar honey
cuisine: italian french indian chinese japanese thai mexican korean ethiopian turkish greek spanish lebanese moroccan vietnamese
dessert sweet treat: cake pie cookie brownie muffin cupcake ice cream chocolate pudding tart doughnut donut candy cheesecake pastry croissant tiramisu sorbet gelato macaron scone
bread: loaf sourdough baguette rye bagel bun roll
drink beverage: water tea coffee espresso latte cappuccino juice milk smoothie lemonade soda cola beer wine whisky whiskey vodka gin rum cocktail cider champagne cocoa kombucha
alcohol: beer wine whisky whiskey vodka gin rum cocktail cider champagne prosecco tequila
dairy: milk cheese butter yogurt yoghurt cream
body: head neck shoulder arm elbow wrist hand finger thumb chest back spine hip leg knee ankle foot toe shin thigh stomach
bone joint: hip knee ankle wrist elbow shoulder rib collarbone leg arm shin spine
illness disease condition diagnosis health: cold flu fever cough asthma diabetes diabetic cancer tumor tumour migraine headache arthritis anemia infection pneumonia covid allergy eczema depression anxiety insomnia epilepsy stroke concussion hypertension cholesterol cyst ulcer celiac coeliac adhd dyslexia appendicitis bronchitis
injury: sprain fracture break burn cut bruise concussion sting bite stitch strain twist dislocate
doctor specialist: dentist surgeon dermatologist cardiologist neurologist pediatrician paediatrician psychiatrist optometrist gynecologist orthopedist physio physiotherapist chiropractor
symptom: pain ache fever cough nausea rash itch dizzy swelling fatigue headache
medicine treatment: antibiotic aspirin ibuprofen insulin vaccine injection inhaler ointment vitamin supplement iron painkiller
vehicle transport: car truck van lorry bus train tram subway metro bike bicycle motorcycle motorbike scooter taxi boat ship ferry plane helicopter camper caravan tractor skateboard jeep suv sedan hatchback convertible minivan
car brand: toyota honda ford bmw audi mercedes volkswagen tesla nissan mazda subaru volvo fiat renault prius
boat: kayak canoe yacht sailboat ferry rowboat houseboat raft dinghy
sport exercise activity workout: football soccer basketball baseball tennis badminton squash volleyball hockey rugby cricket golf swimming running jogging cycling hiking climbing bouldering skiing snowboarding skating surfing sailing rowing kayaking diving snorkeling yoga pilates boxing karate judo taekwondo wrestling fencing archery gymnastics dancing marathon triathlon weightlifting crossfit zumba horseback equestrian paddle
martial: karate judo taekwondo boxing kickboxing aikido jujitsu wrestling kendo capoeira
race competition: marathon triathlon sprint relay regatta tournament championship derby cup
water: swimming surfing sailing diving snorkeling kayaking rafting rowing
winter: skiing snowboarding skating sledding sledge snowshoe ice
hobby interest pastime activity: painting drawing pottery knitting crochet sewing quilting photography gardening baking cooking reading writing fishing hunting birdwatching chess woodworking carpentry embroidery origami calligraphy astronomy geocaching stamps coins puzzles gaming karaoke singing dancing camping hiking scrapbooking beekeeping brewing juggling genealogy
craft art: pottery ceramics knitting crochet sewing quilting embroidery weaving woodwork carving origami painting drawing sculpture collage printmaking watercolor watercolour calligraphy mosaic jewelry candle soap
instrument: guitar piano violin cello drum flute clarinet saxophone trumpet trombone harp accordion ukulele banjo bass keyboard harmonica oboe viola organ synthesizer mandolin recorder
music genre: jazz rock pop classical blues country folk metal punk reggae opera hip rap techno house soul funk indie gospel electronic ambient
musician: singer guitarist drummer pianist violinist bassist composer dj cellist
composer: bach mozart beethoven vivaldi chopin schubert debussy handel brahms tchaikovsky
dance: ballet salsa tango waltz tap flamenco swing ballroom contemporary zumba hiphop
game: chess poker scrabble monopoly catan cards puzzle crossword sudoku bingo darts dominoes checkers dungeons minecraft fortnite zelda mario pokemon nintendo playstation xbox
film movie genre: comedy thriller horror drama documentary western animation musical romance fantasy sequel
book genre: novel biography memoir thriller mystery fantasy poetry cookbook textbook comic autobiography classic trilogy
clothes clothing outfit garment: shirt blouse sweater jumper cardigan hoodie jacket coat dress skirt trousers jeans shorts suit tie scarf glove mitten hat cap sock shoe boot sneaker sandal belt pyjamas uniform raincoat vest
shoe footwear: boot sneaker trainer sandal slipper heel loafer
jewellery jewelry accessory: ring necklace bracelet earring brooch pendant watch locket
furniture: sofa couch chair table desk bed bookshelf wardrobe cupboard dresser stool armchair bench cabinet lamp mattress rug
appliance: fridge oven stove dishwasher microwave toaster kettle washer dryer vacuum blender freezer heater
room: kitchen bedroom bathroom attic basement cellar hallway lounge nursery pantry office
building: house apartment church cathedral castle tower museum library school hospital barn cottage cabin lighthouse mill palace temple mosque skyscraper warehouse factory
home accommodation lodging: apartment flat house cottage cabin villa hostel hotel motel caravan tent bungalow loft studio dormitory farmhouse airbnb treehouse
store shop business: bakery florist butcher bookstore bookshop pharmacy supermarket grocery boutique salon barbershop laundromat cafe bar pub gallery market mall deli brewery restaurant
place: park beach museum library restaurant cafe gym stadium theatre zoo aquarium mall market castle church lake mountain forest island
outdoor outside nature: park garden forest lake mountain river beach campsite trail waterfall canyon meadow field balcony terrace
device gadget electronics: phone laptop computer tablet camera printer headphone speaker tv console smartwatch router drone kindle earbud charger keyboard monitor
tool: hammer saw drill screwdriver wrench axe shovel spade rake pliers ladder chisel
profession occupation job career work: nurse doctor teacher engineer lawyer architect accountant programmer developer designer chef cook baker barista waiter waitress plumber electrician carpenter mechanic pilot driver farmer gardener journalist writer editor photographer painter musician actor dancer scientist researcher biologist chemist physicist dentist vet veterinarian pharmacist psychologist therapist librarian policeman firefighter soldier sailor fisherman cashier hairdresser barber tailor translator consultant analyst salesman realtor secretary receptionist manager director banker broker judge priest social counselor paramedic midwife astronaut beekeeper welder builder bartender flight freelancer intern apprentice
subject field degree major: math mathematics physics chemistry biology history geography literature philosophy psychology sociology economics law medicine engineering art music linguistics anthropology archaeology nursing accounting marketing politics computer astronomy theology statistics
industry sector: energy finance banking tech technology healthcare education retail hospitality tourism farming agriculture manufacturing construction fashion media insurance pharmaceutical automotive
language: english french spanish german italian portuguese dutch polish russian chinese mandarin japanese korean arabic hindi turkish greek swedish norwegian danish finnish hebrew swahili latin sign
country nation: france spain germany italy portugal england scotland ireland wales netherlands belgium switzerland austria poland russia ukraine sweden norway denmark finland iceland greece turkey egypt morocco kenya nigeria ethiopia ghana india pakistan china japan korea vietnam thailand indonesia malaysia philippines australia zealand canada america mexico brazil argentina chile peru colombia cuba jamaica israel iran iraq hungary romania bulgaria croatia serbia czech slovakia
city town: london paris berlin rome madrid barcelona lisbon porto amsterdam brussels vienna prague warsaw budapest athens istanbul moscow stockholm oslo copenhagen helsinki dublin edinburgh manchester zurich munich hamburg milan venice florence naples york boston chicago seattle portland denver austin dallas houston miami atlanta philadelphia francisco angeles vegas toronto montreal vancouver sydney melbourne tokyo kyoto osaka seoul beijing shanghai singapore bangkok delhi mumbai cairo nairobi lagos rio lima
state: california texas florida oregon washington colorado arizona nevada utah michigan ohio georgia virginia carolina massachusetts pennsylvania illinois minnesota alaska hawaii montana maine vermont
continent: europe asia africa america australia antarctica
religion faith: christian catholic protestant muslim islam jewish judaism buddhist buddhism hindu hinduism church mosque synagogue temple bible quran
holiday celebration festival: christmas easter thanksgiving halloween hanukkah diwali ramadan eid birthday anniversary wedding carnival oktoberfest newyear valentine graduation reunion shower
weather: rain snow sun wind storm fog hail thunder lightning frost cloud heat hurricane tornado flood drought pour drizzle
disaster: earthquake flood hurricane tornado fire wildfire tsunami avalanche eruption landslide
season: spring summer autumn fall winter
day weekday: monday tuesday wednesday thursday friday saturday sunday
month: january february march april june july august september october november december
time: morning noon afternoon evening night midnight oclock hour minute
colour color: red blue green yellow orange purple violet pink brown black white grey gold silver turquoise beige teal
material: wood metal glass plastic leather cotton wool silk linen clay stone concrete brick paper steel copper bronze
gem stone: diamond ruby emerald sapphire pearl amber opal jade turquoise
emotion feeling mood: happy sad angry scared proud lonely jealous excited nervous grateful ashamed guilty hopeful anxious overwhelmed relieved disappointed frustrated thrilled nostalgic
personality character trait: shy kind funny stubborn generous patient honest brave lazy strict cheerful quiet clever ambitious organised curious thoughtful
relative family: mother father sister brother aunt uncle cousin niece nephew grandma grandpa daughter son wife husband stepmother stepfather godmother godfather twin inlaw
child kid: son daughter boy girl baby toddler twin teenager
sibling: brother sister twin
parent: mother father
grandparent: grandma grandpa
expense bill: rent insurance electricity tuition groceries tax repair gas mortgage
document paperwork: passport visa licence license certificate contract form will deed
toy: doll lego puzzle teddy kite ball blocks figurine
celebrity artist band: beatles coldplay taylor beyonce picasso monet vangogh
media platform: facebook instagram twitter tiktok youtube linkedin reddit netflix spotify
cause charity: shelter hospice orphanage foodbank refugee cancer homeless environment veterans
addiction habit vice: smoking drinking gambling nail coffee sugar caffeine alcohol cigarettes
landmark sight attraction monument: tower castle bridge cathedral museum statue palace temple pyramid waterfall lighthouse ruins colosseum
phobia fear: spider height snake flying water dark clown darkness needle
event occasion: wedding party concert festival conference funeral parade graduation fair exhibition workshop retreat reunion ceremony gala meetup
award prize: medal trophy certificate cup ribbon scholarship nobel oscar
artwork art: painting drawing sculpture mural portrait photograph sketch collage print statue
sky natural wonder: aurora lights eclipse meteor comet star moon planet rainbow waterfall volcano geyser
planet: mars venus saturn jupiter mercury neptune uranus pluto
money currency: dollar euro pound yen peso franc cent
vision eyesight: glasses lenses contacts optician
contraption machine: engine robot printer pump generator
`;
