package burnclose

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type keyRequest struct {
	Whole json.RawMessage `body:"*"`
}

// generateKey issues one more key, which is good at once. The body is
// undocumented: any body is accepted, or none.
func (b *Service) generateKey(c *kit.Call, in keyRequest) any {
	key := fmt.Sprintf("sandbox-burnclose-%016x", b.Random())
	c.OwnKey(key)
	var label struct {
		Name string `json:"name"`
	}
	if len(in.Whole) > 0 && json.Unmarshal(in.Whole, &label) != nil {
		label.Name = "" // an array or a string names nothing
	}
	created := b.Now().UTC().Format(time.RFC3339)
	if c.Shape(2) == 0 {
		return map[string]any{"apiKey": key, "name": label.Name, "createdAt": created}
	}
	return kit.Reply{Status: http.StatusCreated, Body: map[string]any{
		"success": true, "data": map[string]any{"key": key, "label": label.Name, "created": b.Now().Unix()},
	}}
}
