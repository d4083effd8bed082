package keyring

import (
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/walletfi/walletfi-go/signing"
)

// signRequest asks the signer's process for a signature.
type signRequest struct {
	Message []byte `json:"message"` // base64 in JSON
}

type addressAnswer struct {
	Address signing.PublicKey `json:"address"`
}

type signatureAnswer struct {
	Signature signing.Signature `json:"signature"`
}

// maxMessage bounds a request: a transaction is at most 4,096 bytes.
const maxMessage = 16 << 10

// Server is the other process: it holds the keys and signs what it is asked to.
// Who can open its socket can have anything signed, so that the socket's folder
// belongs to the backend's user alone. A stricter signer decodes the message and
// applies its own guard here.
func Server(keys Keys, log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /keys/{user}", func(w http.ResponseWriter, r *http.Request) {
		address, err := keys.Create(r.Context(), r.PathValue("user"))
		answer(w, log, addressAnswer{address}, err)
	})
	mux.HandleFunc("GET /keys/{user}", func(w http.ResponseWriter, r *http.Request) {
		signer, err := keys.Signer(r.Context(), r.PathValue("user"))
		if err != nil {
			answer(w, log, nil, err)
			return
		}
		answer(w, log, addressAnswer{signer.PublicKey()}, nil)
	})
	mux.HandleFunc("POST /keys/{user}/signatures", func(w http.ResponseWriter, r *http.Request) {
		var request signRequest
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxMessage)).Decode(&request); err != nil {
			http.Error(w, "the request cannot be read", http.StatusBadRequest)
			return
		}
		signer, err := keys.Signer(r.Context(), r.PathValue("user"))
		if err != nil {
			answer(w, log, nil, err)
			return
		}
		signature, err := signer.Sign(r.Context(), request.Message)
		log.Info("signed", "user", r.PathValue("user"), "bytes", len(request.Message))
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
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}
