package leverage

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/walletfi/walletfi-go"
)

// accept is transport.Config.Accept. No envelope is documented, but an answer
// that says success:false is a refusal.
func accept(body []byte) (payload []byte, ok bool) {
	var says struct {
		Success json.RawMessage `json:"success"`
	}
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) || json.Unmarshal(body, &says) != nil {
		return body, true
	}
	return body, string(says.Success) != "false"
}

// doubted turns a relay's refusal with a 2xx status into an unknown outcome. No
// error body is documented, so the refusal may mean that the bytes were passed
// on and have not landed yet.
func doubted(err error, signature string) error {
	refusal, ok := errors.AsType[*walletfi.ResponseError](err)
	if !ok || refusal.StatusCode >= 300 || errors.Is(err, walletfi.ErrOutcomeUnknown) {
		return err
	}
	return &walletfi.OutcomeUnknownError{Signature: signature, Cause: err}
}
