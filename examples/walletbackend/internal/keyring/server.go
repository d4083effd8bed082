package keyring

import (
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/walletfi/walletfi-go/signing"
)

// signRequest asks the signer's process for a signature.
type signRequest struct {
	Message []byte `json:"message"` // base64 in JSON; one of the approved set's
	Approval
}

type addressAnswer struct {
	Address signing.PublicKey `json:"address"`
}

type signatureAnswer struct {
	Signature signing.Signature `json:"signature"`
}

type refusalAnswer struct {
	Refusal string `json:"refusal"`
}

// maxRequest bounds a request: a set of some transactions of at most 4,096 bytes each,
// with what was asked for.
const maxRequest = 256 << 10

// Server is the other process: it holds the keys. It signs a message only if its own
// guard, with its own pins, allows the set that the message is of, if the digest is that
// of the set, and if the user's key must sign the message and owns what the set may
// spend. So a backend that was broken into cannot have a key sign what calls other
// programs, or sends more than the backend says that the user asked for; it can lie
// about what that was. Only the backend's user may open the socket.
func Server(keys Keys, guard *signing.Guard, log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /keys/{user}", func(w http.ResponseWriter, r *http.Request) {
		address, err := keys.Create(r.Context(), r.PathValue("user"))
		answer(w, log, addressAnswer{address}, err)
	})
	mux.HandleFunc("GET /keys/{user}", func(w http.ResponseWriter, r *http.Request) {
		signer, err := keys.Signer(r.Context(), r.PathValue("user"), Approval{})
		if err != nil {
			answer(w, log, nil, err)
			return
		}
		answer(w, log, addressAnswer{signer.PublicKey()}, nil)
	})
	mux.HandleFunc("POST /keys/{user}/signatures", func(w http.ResponseWriter, r *http.Request) {
		user := r.PathValue("user")
		var request signRequest
		decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&request); err != nil {
			http.Error(w, "the request cannot be read", http.StatusBadRequest)
			return
		}
		signer, err := keys.Signer(r.Context(), user, request.Approval)
		if err != nil {
			answer(w, log, nil, err)
			return
		}
		if err := request.check(r.Context(), guard, signer.PublicKey()); err != nil {
			log.Warn("refused", "user", user, "digest", request.Digest, "why", err)
			write(w, http.StatusForbidden, refusalAnswer{err.Error()})
			return
		}
		signature, err := signer.Sign(r.Context(), request.Message)
		log.Info("signed", "user", user, "digest", request.Digest)
		answer(w, log, signatureAnswer{signature}, err)
	})
	return mux
}

func answer(w http.ResponseWriter, log *slog.Logger, v any, err error) {
	if err != nil {
		log.Error("the signer failed", "error", err)
		http.Error(w, "the signer failed", http.StatusInternalServerError)
		return
	}
	write(w, http.StatusOK, v)
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}
