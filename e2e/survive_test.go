package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestBuiltSurvivesJSON: what each builder of each service returned is stored and
// read again, and has the same transactions and the same intent.
func TestBuiltSurvivesJSON(t *testing.T) {
	s := flows.Start(t, sandbox.Config{NoLimits: true, ManualClock: true, InstantConfirmation: true, Shape: 1})
	survived := map[string]bool{}
	for _, b := range append(flows.Builders(t, s), flows.Variants(t, s)...) {
		if b.Prepare != nil {
			b.Prepare()
		}
		t.Run(b.Name, func(t *testing.T) {
			u, err := b.Build(t.Context())
			require.NoError(t, err)
			text, err := json.Marshal(u)
			require.NoError(t, err)
			var unsigned walletfi.Unsigned
			require.NoError(t, json.Unmarshal(text, &unsigned))
			require.Equal(t, u, unsigned)
			require.NotEmpty(t, unsigned.Intent.Owner)
			if b.Answer == nil {
				return
			}
			built, err := b.Answer(t.Context())
			require.NoError(t, err)
			text, err = json.Marshal(built)
			require.NoError(t, err)
			again := reflect.New(reflect.TypeOf(built).Elem()).Interface()
			require.NoError(t, json.Unmarshal(text, again))
			require.Equal(t, built, again)
			require.NotEmpty(t, again.(interface{ Unsigned() walletfi.Unsigned }).Unsigned().Intent.Owner)
			survived[reflect.TypeOf(built).String()] = true
			partsAreMissed(t, built, text)
		})
	}
	require.GreaterOrEqual(t, len(survived), 12, "%v", survived)
}

// partsAreMissed takes from a stored answer each of its parts, and makes each of them
// unreadable: it is never read as an answer that asks for nothing.
func partsAreMissed(t *testing.T, built any, text []byte) {
	var form map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(text, &form))
	refused := 0
	for part, was := range form {
		if part == "type" || part == "receivedAt" {
			continue
		}
		for _, broken := range []string{"", "null", `"x"`, `[5]`, `{"spend":[{"mint":"m","amount":"-1"}]}`, `{"owner":"a","owner":"b"}`} {
			if part == "answer" && broken != "" && broken != "null" || part == "raw" && broken == `"x"` {
				continue // what an answer may be is its type's to say
			}
			form[part] = json.RawMessage(broken)
			if broken == "" {
				delete(form, part)
			}
			changed, err := json.Marshal(form)
			require.NoError(t, err)
			again := reflect.New(reflect.TypeOf(built).Elem()).Interface()
			require.ErrorIs(t, json.Unmarshal(changed, again), walletfi.ErrDecode, "%s: %s", part, broken)
			require.Zero(t, again.(interface{ Unsigned() walletfi.Unsigned }).Unsigned().Intent, "%s: %s", part, broken)
			refused++
		}
		form[part] = was
	}
	require.GreaterOrEqual(t, refused, 8)
}

// lossy are answers that JSON does not restore, and why a program need not store
// them. A type that is missing here must survive.
var lossy = map[string]string{
	"burnclose.GeneratedKey": "a secret: it refuses",
	"onchaindata.CandlePage": "prices are written in plain digits, without their exponent",
	"onchaindata.PoolBatch":  "several answers joined on this side: store the pools",
	"socialsearch.PostPage":  "Author points into Includes, and is linked by the client",
}

// samples are answers of services that have no file.
var samples = map[string]string{
	"amm.MintPage":               `{"mintList":[{"address":"M1"},12345678901234567890]}`,
	"amm.Quote":                  `{"kind":"base-in","inputMint":"` + walletfi.NativeMint + `","outputMint":"` + wiretest.Address(1) + `","amount":"18446744073709551615","slippageBps":0,"txVersion":"V0","receivedAt":"2026-01-02T03:04:05Z","quote":{"inAmount":"18446744073709551615","outAmount":"1","otherAmountThreshold":"1","priceImpactPct":"0.1"},"swapResponse":"{\"inputMint\":\"` + walletfi.NativeMint + `\",\"outputMint\":\"` + wiretest.Address(1) + `\",\"inAmount\":\"18446744073709551615\",\"outAmount\":\"1\",\"otherAmountThreshold\":\"1\",\"priceImpactPct\":\"0.1\",\"a\": \"<&>\"}"}`,
	"amm.Transaction":            `[{"transaction":"` + base64.StdEncoding.EncodeToString(wiretest.Pair(1, 2, 0, 0)) + `","x":1}]`,
	"amm.MintPrices":             `{"M1":"1.50","M2":null,"M3":2e-9}`,
	"providerswap.Sent":          `{"bundleId":"b","signature":"s"}`,
	"providerswap.QuoteV1":       `{"provider":"a","outAmount":"7","minOutAmount":6,"x":"<&>"}`,
	"providerswap.TransactionV1": `{"transaction":"` + base64.StdEncoding.EncodeToString(wiretest.Pair(1, 2, 0, 0)) + `","x":1}`,
	"socialsearch.PostAnswer":    `{"data":{"id":"1","text":"gm","x":1}}`,
	"socialsearch.UserAnswer":    `{"data":{"id":"1","username":"a","x":1}}`,
}

// TestAnswersSurviveJSON stores what the methods of the clients return and reads it
// again: filled with random values, or, if a type finds its fields in the service's
// bytes, read from an answer of the service's.
func TestAnswersSurviveJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	filled, read := 0, 0
	all := answers()
	for name, answer := range all {
		t.Run(name, func(t *testing.T) {
			v := reflect.New(answer.typ)
			wiretest.Fill(random, v.Interface())
			if survives(v.Interface()) == nil {
				require.Empty(t, lossy[name], "it survives: take it off the list")
				filled++
				return
			}
			if lossy[name] != "" {
				return
			}
			came := 0
			for _, file := range append(answer.files, "") {
				body, err := os.ReadFile(file)
				if sample := samples[name]; file == "" && sample != "" {
					body, err = []byte(sample), nil
				}
				if err != nil {
					continue
				}
				var compact bytes.Buffer // json.Marshal leaves no spaces in a Raw
				require.NoError(t, json.Compact(&compact, body))
				body = compact.Bytes()
				v := reflect.New(answer.typ)
				if json.Unmarshal(body, v.Interface()) == nil || wire.Usable(wire.Unmarshal(body, v.Interface())) {
					came++
					require.NoError(t, survives(v.Interface()), file)
				}
			}
			require.NotZero(t, came, "no answer of the service's to read: %v", answer.files)
			read++
		})
	}
	for name := range samples {
		require.Contains(t, all, name)
	}
	for name := range lossy {
		require.Contains(t, all, name)
	}
	t.Logf("%d types survive with any value, %d as the service sends them, %d are not stored", filled, read, len(lossy))
	require.Greater(t, filled, 50)
}

// survives stores v, a pointer, and reads it again.
func survives(v any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false) // so that a Raw is compared as it came
	if err := enc.Encode(v); err != nil {
		return err
	}
	again := reflect.New(reflect.TypeOf(v).Elem()).Interface()
	if err := json.Unmarshal(text.Bytes(), again); err != nil {
		return err
	}
	if !assert.ObjectsAreEqual(v, again) {
		return fmt.Errorf("changed: %s\nwas  %+v\nread %+v", text.String(), v, again)
	}
	return nil
}

// answer is a struct that methods of a client return or yield, and the files with
// the service's answers to them.
type answer struct {
	typ   reflect.Type
	files []string
}

func answers() map[string]answer {
	all := map[string]answer{}
	for service, client := range flows.Clients {
		for m := range client.Methods() {
			for out := range m.Type.Outs() {
				for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice}, out.Kind()) {
					out = out.Elem()
				}
				if out.Kind() == reflect.Struct && strings.Contains(out.PkgPath(), "walletfi-go/") {
					a := all[out.String()]
					all[out.String()] = answer{out, append(a.files, "../"+string(service)+"/testdata/"+m.Name+".json")}
				}
			}
		}
	}
	return all
}
