package burnclose_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

var withoutKey = map[string]string{"x-api-key": "", "Authorization": ""}

// keyless is a client without a key.
func keyless(t testing.TB, base string) *burnclose.Client {
	t.Helper()
	c, err := burnclose.New(burnclose.Config{BaseURL: base})
	require.NoError(t, err)
	return c
}

func TestWireDocuments(t *testing.T) {
	var cases []wiretest.Case
	for target, get := range map[string]func(*burnclose.Client, context.Context, ...walletfi.CallOption) ([]byte, error){
		"/":                        (*burnclose.Client).GetHealth,
		"/openapi.json":            (*burnclose.Client).GetOpenAPI,
		"/.well-known/api-catalog": (*burnclose.Client).GetAPICatalog,
		"/llms.txt":                (*burnclose.Client).GetLLMsText,
		"/llms.md":                 (*burnclose.Client).GetLLMsMarkdown,
		"/llms-full.txt":           (*burnclose.Client).GetLLMsFull,
		"/DOCS.md":                 (*burnclose.Client).GetDocs,
	} {
		for name, body := range map[string]string{"text": "# burn\n\n\xff{not json", "JSON": `{"status": "ok"}`} {
			cases = append(cases, wiretest.Case{
				Name:   target + " " + name,
				Call:   wiretest.By(client, get),
				Method: "GET", Target: target, Header: map[string]string{"x-api-key": "", "Authorization": "", "Accept": "*/*"},
				Reply: body,
				Then:  func(t *testing.T, result any) { require.Equal(t, body, string(result.([]byte))) },
			})
		}
	}
	wiretest.Run(t, cases)
}

func TestWireGenerateAPIKey(t *testing.T) {
	generate := func(body any) wiretest.Made {
		return wiretest.By(keyless, (*burnclose.Client).GenerateAPIKey, body)
	}
	is := func(key, answer string) func(*testing.T, any) {
		return func(t *testing.T, result any) {
			k := result.(*burnclose.GeneratedKey)
			require.Equal(t, key, k.APIKey.Reveal())
			require.JSONEq(t, answer, k.Answer.Reveal())
			require.NotContains(t, fmt.Sprintf("%v %+v %#v", k, *k, *k), "k-generated")
			require.Error(t, wiretest.Error(json.Marshal(k)), "a mask in place of a key is a loss")
		}
	}
	wiretest.Run(t, []wiretest.Case{{
		Name: "nested", Call: generate(nil), Method: "POST", Target: "/api-keys/generate", Header: withoutKey,
		File: "GenerateAPIKey.json", Then: is("k-generated-1", wiretest.File(t, "GenerateAPIKey.json")),
	}, {
		Name: "flat, with a body", Call: generate(walletfi.Document(`{"name":"bot"}`)), Method: "POST", Target: "/api-keys/generate",
		Header: withoutKey, Body: `{"name":"bot"}`, Reply: `{"key":"k-generated-2"}`, Then: is("k-generated-2", `{"key":"k-generated-2"}`),
	}, {
		Name: "under a name of its own", Call: generate(nil), Method: "POST", Target: "/api-keys/generate", Header: withoutKey,
		Reply: `{"credential":"k-generated-3"}`, Then: is("", `{"credential":"k-generated-3"}`),
	}, {
		Name: "nothing", Call: generate(nil), Method: "POST", Target: "/api-keys/generate", Header: withoutKey, Reply: ``,
		Err: func(t *testing.T, err error) {
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			require.ErrorIs(t, err, walletfi.ErrDecode)
		},
	}, {
		Name: "null", Call: generate(nil), Method: "POST", Target: "/api-keys/generate", Header: withoutKey, Reply: `null`,
		Err: func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown) },
	}, {
		Name: "a page", Call: generate(nil), Method: "POST", Target: "/api-keys/generate", Header: withoutKey, Reply: `<html>`,
		Err: func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown) },
	}})
}

func TestAuthHeader(t *testing.T) {
	for _, c := range []struct {
		header      burnclose.AuthHeader
		key, bearer string
	}{
		{"", "k-123456", ""},
		{burnclose.AuthAPIKey, "k-123456", ""},
		{burnclose.AuthBearer, "", "Bearer k-123456"},
	} {
		t.Run(string(c.header), func(t *testing.T) {
			server := answering(t, `{"fees":1}`)
			c2, err := burnclose.New(burnclose.Config{BaseURL: server.URL, APIKey: walletfi.NewSecret("k-123456"), AuthHeader: c.header})
			require.NoError(t, err)
			_, err = c2.PreviewBurn(t.Context(), burnclose.BurnRequest{Owner: owner, AssetID: asset})
			require.NoError(t, err)
			require.NoError(t, wiretest.Error(c2.GetHealth(t.Context())))
			seen := server.Requests()
			require.Len(t, seen, 2)
			require.Equal(t, c.key, seen[0].Header.Get("x-api-key"))
			require.Equal(t, c.bearer, seen[0].Header.Get("Authorization"))
			require.Empty(t, seen[1].Header.Get("x-api-key")+seen[1].Header.Get("Authorization"))
		})
	}
}

// TestPreviewsSurviveJSON: a preview can be stored and read again.
func TestPreviewsSurviveJSON(t *testing.T) {
	const answer = `{"reclaimedLamports":"2039280","operationType":"burn","accounts":[{"mint":"M1"}],"count":1,"fees":{"x":1}}`
	again := func(from, to any) {
		t.Helper()
		require.NoError(t, json.Unmarshal([]byte(answer), from))
		text, err := json.Marshal(from)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, to))
		require.Equal(t, from, to)
	}
	again(new(burnclose.Preview), new(burnclose.Preview))
	again(new(burnclose.CloseAllPreview), new(burnclose.CloseAllPreview))
	again(new(burnclose.CloseAllSummary), new(burnclose.CloseAllSummary))
}
