// A button for hark on an ESP32. Needs the library ArduinoJson, 7 or newer.
//
// `hark devices pair --type esp32 --only buttons` prints a code: put it below, and load the sketch within ten minutes.
// The board keeps what it is told in its flash, so that it pairs once; the code then counts no more.

#include <ArduinoJson.h>
#include <HTTPClient.h>
#include <Preferences.h>
#include <WiFi.h>

const char *WIFI_NAME = "my network";
const char *WIFI_PASSWORD = "its password";
const char *HARK = "http://192.168.1.5:4102";
const char *PAIRING_CODE = "from hark devices pair";
const char *SAYS = "The button in the kitchen was pressed.";
const int BUTTON = 0;  // BOOT, on most boards

Preferences kept;

int post(const String &path, JsonDocument &body, JsonDocument &answer, bool asDevice) {
  HTTPClient http;
  http.setTimeout(60000);
  http.begin(String(HARK) + path);
  http.addHeader("Content-Type", "application/json");
  if (asDevice) {
    http.addHeader("X-Device-Id", kept.getString("id"));
    http.addHeader("X-Device-Secret", kept.getString("secret"));
  }
  String sent;
  serializeJson(body, sent);
  int status = http.POST(sent);
  deserializeJson(answer, http.getString());
  http.end();
  return status;
}

bool pair() {
  JsonDocument wish, joined;
  wish["type"] = "esp32";
  wish["name"] = "Kitchen button";
  wish["capabilities"]["buttons"] = true;
  wish["pairingCode"] = PAIRING_CODE;
  int status = post("/api/devices/register", wish, joined, false);
  if (status != 201) {
    Serial.printf("not paired (%d): %s\n", status, joined["error"] | "no answer");
    return false;
  }
  kept.putString("id", joined["device"]["id"].as<const char *>());
  kept.putString("secret", joined["secret"].as<const char *>());
  return true;
}

void setup() {
  Serial.begin(115200);
  pinMode(BUTTON, INPUT_PULLUP);
  kept.begin("hark");
  WiFi.begin(WIFI_NAME, WIFI_PASSWORD);
  while (WiFi.status() != WL_CONNECTED) delay(250);
  while (!kept.isKey("secret") && !pair()) delay(30000);
  Serial.println("ready");
}

void loop() {
  if (digitalRead(BUTTON) == LOW) {
    JsonDocument message, reply;
    message["text"] = SAYS;
    message["sessionId"] = kept.getString("id");
    int status = post("/api/chat", message, reply, true);
    Serial.printf("%d: %s\n", status, reply["text"] | reply["error"] | "no answer");
    while (digitalRead(BUTTON) == LOW) delay(20);
  }
  delay(20);
}
