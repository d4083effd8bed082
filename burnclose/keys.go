package burnclose

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// GeneratedKey is a new API key. The shape of the answer is not documented.
type GeneratedKey struct {
	// APIKey is zero if no known field of the answer holds it.
	APIKey walletfi.Secret `json:"-"`
	// Answer is the whole answer, unchanged. It is a Secret because it holds the
	// key.
	Answer walletfi.Secret `json:"answer" wire:"required"`
}

// UnmarshalJSON looks for the key and keeps the answer.
func (k *GeneratedKey) UnmarshalJSON(b []byte) error {
	if err := wire.Once(b); err != nil {
		return err
	}
	if !holdsText(b, 0) {
		return errNoKey
	}
	key := keyIn(b, 0)
	if key == "" && !absent(readMembers(b)["apiKey"]) {
		return errNoKey
	}
	k.APIKey, k.Answer = walletfi.NewSecret(key), walletfi.NewSecret(string(b))
	return nil
}

var errNoKey = errors.New("the answer holds no text that could be a key")

// holdsText reports whether there is a text in an answer, or in what it holds.
func holdsText(b []byte, depth int) bool {
	if plainText(b) != "" {
		return true
	}
	items, _ := readList(b)
	for _, member := range readMembers(b) {
		items = append(items, json.RawMessage(member))
	}
	return depth < 3 && slices.ContainsFunc(items, func(item json.RawMessage) bool { return holdsText(item, depth+1) })
}

// keyIn looks for a key at the top level of an answer and in the usual
// envelopes.
func keyIn(text []byte, depth int) string {
	m := readMembers(text)
	if key := m.text("apiKey", "api_key", "key", "token"); key != "" || depth == 2 {
		return key
	}
	for _, name := range []string{"apiKey", "api_key", "key", "data", "result"} {
		if key := keyIn(m[name], depth+1); key != "" {
			return key
		}
	}
	return ""
}

// GenerateAPIKey creates a key. The request is not documented either: body is
// sent unchanged, and no body is sent if it is empty. Use the key in a new
// Client.
//
// POST /api-keys/generate. It needs no key. It creates a key, so it is sent
// once. Without a clear answer the error is [walletfi.ErrOutcomeUnknown].
func (c *Client) GenerateAPIKey(
	ctx context.Context, body walletfi.Document, opts ...walletfi.CallOption,
) (*GeneratedKey, error) {
	call := transport.Call{
		Op: "GenerateAPIKey", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Says("*apiKey"),
		Path:   transport.Path("/api-keys/generate"), Public: true, SecretAnswer: true,
		Invalid: check.That(body.IsZero() || json.Valid(body), "body", "is not JSON"),
	}
	if !body.IsZero() {
		call.Body = body
	}
	return transport.Do[GeneratedKey](ctx, c.made().t, call, opts)
}
