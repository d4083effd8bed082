package kit

import (
	"encoding/json"
)

// MustJSON writes an answer. It panics if the answer has no JSON form.
func MustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("sandbox: an answer that cannot be written: " + err.Error())
	}
	return b
}
