package amm

import (
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type envelope struct {
	ID      string `json:"id"`
	Success bool   `json:"success"`
	Data    any    `json:"data,omitempty"`
	Msg     string `json:"msg,omitempty"`
}

// envelope gives a malformed mint the documented message.
func (a *Service) envelope(c *kit.Call, f *kit.Failure) kit.Reply {
	subject, ok := strings.CutSuffix(f.Message, " is no address")
	if ok && strings.Contains(strings.ToLower(subject), "mint") {
		f.Message = invalidMint
	}
	return kit.Reply{Status: f.Status, Body: envelope{ID: c.RequestID, Msg: f.Message}}
}

func (a *Service) success(c *kit.Call, body any) any {
	return envelope{ID: c.RequestID, Success: true, Data: body}
}
