package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

type burnCloseKeyRequest struct {
	Whole json.RawMessage `body:"*"`
}

// generateKey issues one more key, which is good at once. What the request
// must say is not documented: anything is taken, nothing too.
func (b *burnClose) generateKey(c *call, in burnCloseKeyRequest) (any, error) {
	key := fmt.Sprintf("sandbox-burnclose-%016x", b.random())
	b.addKey(BurnClose, key)
	var label struct {
		Name string `json:"name"`
	}
	if len(in.Whole) > 0 && json.Unmarshal(in.Whole, &label) != nil {
		label.Name = "" // an array or a string names nothing
	}
	created := b.now().UTC().Format(time.RFC3339)
	if c.shape(2) == 0 {
		return map[string]any{"apiKey": key, "name": label.Name, "createdAt": created}, nil
	}
	return reply{status: http.StatusCreated, body: map[string]any{
		"success": true, "data": map[string]any{"key": key, "label": label.Name, "created": b.now().Unix()},
	}}, nil
}
