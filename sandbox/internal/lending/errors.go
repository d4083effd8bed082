package lending

import (
	"net/http"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// The codes of the service's errors.
const (
	insufficientBalance = "INSUFFICIENT_BALANCE"
	cooldownActive      = "COOLDOWN_ACTIVE"
	capacityExceeded    = "CAPACITY_EXCEEDED"
)

func envelope(c *kit.Call, f *kit.Failure) kit.Reply {
	code := f.Code
	if code == "" {
		switch f.Status {
		case http.StatusUnauthorized:
			code = "UNAUTHORIZED"
		case http.StatusNotFound:
			code = "NOT_FOUND"
		case http.StatusTooManyRequests:
			code = "RATE_LIMITED"
		case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable:
			code = "INTERNAL_ERROR"
		default:
			code = "BAD_REQUEST"
		}
	}
	return kit.Reply{
		Body: map[string]any{"error": map[string]string{"code": code, "message": f.Message, "requestId": c.RequestID}},
	}
}
