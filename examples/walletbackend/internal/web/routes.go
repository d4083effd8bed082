package web

import (
	"errors"
	"net/http"
	"strings"
)

// route is a line of the server's table.
type route struct {
	pattern string // as http.ServeMux takes it
	open    bool   // needs no session
	do      func(*Server, http.ResponseWriter, *visit) error
}

// routes are all routes of the page and the API, which openapi.json describes.
var routes = []route{
	{"GET /login", true, (*Server).loginPage},
	{"POST /login", true, (*Server).login},
	{"POST /logout", false, (*Server).logout},
	{"GET /{$}", false, (*Server).portfolioPage},
	{"GET /prices", false, (*Server).pricesPage},
	{"GET /swap", false, (*Server).swapPage},
	{"GET /lending", false, (*Server).lendingPage},
	{"GET /burn", false, (*Server).burnPage},
	{"GET /activity", false, (*Server).activityPage},
	{"POST /payments", false, (*Server).preparePage},
	{"GET /payments/{id}", false, (*Server).paymentPage},
	{"POST /payments/{id}/approval", false, (*Server).approvePage},
	{"POST /smartaccount/code", false, (*Server).sendCodePage},
	{"POST /smartaccount/verify", false, (*Server).verifyCodePage},
	{"POST /sandbox", false, (*Server).sandboxPage},

	{"GET /openapi.json", true, (*Server).openAPI},
	{"POST /api/login", true, (*Server).apiLogin},
	{"POST /api/logout", false, (*Server).apiLogout},
	{"GET /api/portfolio", false, answer(http.StatusOK, (*Server).apiPortfolio)},
	{"GET /api/tokens", false, answer(http.StatusOK, (*Server).apiTokens)},
	{"GET /api/prices/{mint}/candles", false, answer(http.StatusOK, (*Server).apiCandles)},
	{"GET /api/prices/{mint}/posts", false, answer(http.StatusOK, (*Server).apiPosts)},
	{"GET /api/markets", false, answer(http.StatusOK, (*Server).apiMarkets)},
	{"GET /api/quotes", false, answer(http.StatusOK, (*Server).apiQuotes)},
	{"GET /api/payments", false, answer(http.StatusOK, (*Server).apiPayments)},
	{"POST /api/payments", false, answer(http.StatusCreated, (*Server).apiPrepare)},
	{"GET /api/payments/{id}", false, answer(http.StatusOK, (*Server).apiPayment)},
	{"POST /api/payments/{id}/approval", false, answer(http.StatusAccepted, (*Server).apiApprove)},
	{"GET /api/webhooks", false, answer(http.StatusOK, (*Server).apiWebhooks)},
	{"GET /api/events", false, (*Server).apiEvents},
}

// answer makes a route of a function that returns what is written as JSON.
func answer(status int, get func(*Server, *visit) (any, error)) func(*Server, http.ResponseWriter, *visit) error {
	return func(s *Server, w http.ResponseWriter, v *visit) error {
		value, err := get(s, v)
		if err != nil {
			return err
		}
		return writeJSON(w, status, value)
	}
}

func (r route) api() bool { return strings.Contains(r.pattern, " /api/") }

// maxBody bounds a form or a JSON body.
const maxBody = 64 << 10

// serve lets a route's visitors in: the session, the user's limit, the form's
// token.
func (s *Server) serve(r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		req.Body = http.MaxBytesReader(w, req.Body, maxBody)
		v := &visit{Request: req}
		err := s.admit(v, r)
		if err == nil {
			err = r.do(s, w, v)
		}
		if err == nil {
			return
		}
		if errors.Is(err, errSignedOut) && !r.api() {
			http.Redirect(w, req, "/login", http.StatusSeeOther)
			return
		}
		s.fail(w, v, r.api(), err)
	})
}

func (s *Server) admit(v *visit, r route) error {
	if r.open {
		return nil
	}
	if err := s.identify(v); err != nil {
		return err
	}
	if !s.limits.user(v.user.ID) {
		return errTooMany
	}
	if v.Method != http.MethodGet && !v.hasToken() {
		return errNoToken
	}
	return nil
}
