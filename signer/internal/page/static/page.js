// Asks passkeys to sign what the page shows. All that is sent or shown comes from the passkey; what it is asked
// to sign is in the page as the signer has written it.
"use strict";

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const say = (problem) => {
  document.getElementById("problem").textContent = problem;
};

const show = (made) => {
  document.getElementById("made").value = made;
  document.getElementById("result").hidden = false;
};

async function send(path, body) {
  const answer = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    credentials: "omit", redirect: "error",
  });
  if (!answer.ok) {
    throw new Error(await answer.text());
  }
  return answer.json();
}

async function decide(place, challenge) {
  const credentials = place.dataset.credentials.split(" ").filter((id) => id !== "");
  const got = await navigator.credentials.get({
    publicKey: {
      challenge: bytes(challenge), rpId: place.dataset.rp, userVerification: "required",
      allowCredentials: credentials.map((id) => ({ type: "public-key", id: bytes(id) })),
    },
  });
  const assertion = {
    id: text(got.rawId), authenticatorData: text(got.response.authenticatorData),
    clientDataJSON: text(got.response.clientDataJSON), signature: text(got.response.signature),
  };
  if (place.dataset.to === "") {
    show(JSON.stringify(assertion));
    return;
  }
  await send(place.dataset.to, assertion);
  location.reload();
}

async function register(form) {
  const name = document.getElementById("name").value;
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: bytes(form.dataset.challenge), rp: { id: form.dataset.rp, name: "signer" },
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name, displayName: name },
      pubKeyCredParams: [{ type: "public-key", alg: -7 }, { type: "public-key", alg: -257 }],
      authenticatorSelection: { userVerification: "required", residentKey: "preferred" }, attestation: "none",
    },
  });
  const { line } = await send("/register", {
    id: text(made.rawId), rawId: text(made.rawId), type: "public-key",
    response: { attestationObject: text(made.response.attestationObject), clientDataJSON: text(made.response.clientDataJSON) },
  });
  show(line);
}

// once runs f with the buttons off, and says why it failed.
async function once(f) {
  const buttons = document.querySelectorAll("button");
  buttons.forEach((b) => (b.disabled = true));
  say("");
  try {
    await f();
  } catch (problem) {
    say(problem.message);
  } finally {
    buttons.forEach((b) => (b.disabled = false));
  }
}

const place = document.getElementById("decision");
place?.addEventListener("click", (event) => {
  const challenge = event.target.dataset.challenge;
  if (challenge) {
    once(() => decide(place, challenge));
  }
});
const form = document.getElementById("register");
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  once(() => register(form));
});
