package leverage

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/walletfi/walletfi-go"
)

// accept is transport.Config.Accept: no envelope is documented, but an answer
// that says success false is no success.
func accept(body []byte) (payload []byte, ok bool) {
	var says struct {
		Success json.RawMessage `json:"success"`
	}
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) || json.Unmarshal(body, &says) != nil {
		return body, true
	}
	return body, string(says.Success) != "false"
}

// doubted makes an unknown outcome of a relay's refusal in a 2xx. No error body
// is documented, so that it cannot be told from bytes that were passed on and
// have not landed yet.
func doubted(err error, signature string) error {
	refusal, ok := errors.AsType[*walletfi.ResponseError](err)
	if !ok || refusal.StatusCode >= 300 || errors.Is(err, walletfi.ErrOutcomeUnknown) {
		return err
	}
	return &walletfi.OutcomeUnknownError{Signature: signature, Cause: err}
}
