package amm

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type envelope struct {
	ID      string `json:"id"`
	Success bool   `json:"success"`
	Data    any    `json:"data,omitempty"`
	Msg     string `json:"msg,omitempty"`
}

func (a *Service) envelope(c *kit.Call, f *kit.Failure) kit.Reply {
	return kit.Reply{Status: f.Status, Body: envelope{ID: c.RequestID, Msg: f.Message}}
}

func (a *Service) success(c *kit.Call, body any) any {
	return envelope{ID: c.RequestID, Success: true, Data: body}
}
