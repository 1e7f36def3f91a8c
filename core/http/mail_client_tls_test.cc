// Certificates are verified: the authority, the name and the dates. They are made here, at test
// time.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "core/http/mail_client.h"
#include "core/http/testing/raw_server.h"

namespace core::http {
namespace {

struct Certificate {
  EVP_PKEY* key = nullptr;
  X509* x509 = nullptr;
  Certificate() = default;
  Certificate(const Certificate&) = delete;
  ~Certificate() {
    X509_free(x509);
    EVP_PKEY_free(key);
  }
};

// Signs itself: it is its own authority, trusted by whoever has it in his file.
void make(Certificate& made, const char* subject_alt_name, long valid_from_s, long valid_for_s) {
  made.key = EVP_EC_gen("P-256");
  made.x509 = X509_new();
  X509_set_version(made.x509, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(made.x509), 1);
  X509_gmtime_adj(X509_getm_notBefore(made.x509), valid_from_s);
  X509_gmtime_adj(X509_getm_notAfter(made.x509), valid_from_s + valid_for_s);
  X509_set_pubkey(made.x509, made.key);
  X509_NAME* const name = X509_get_subject_name(made.x509);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
  X509_set_issuer_name(made.x509, name);
  for (const auto& [nid, value] : {std::pair(NID_subject_alt_name, subject_alt_name),
                                   std::pair(NID_basic_constraints, "critical,CA:TRUE")}) {
    X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, nullptr, nid, value);
    X509_add_ext(made.x509, extension, -1);
    X509_EXTENSION_free(extension);
  }
  X509_sign(made.x509, made.key, EVP_sha256());
}

class MailClientTls : public ::testing::Test {
 protected:
  ~MailClientTls() override {
    for (const auto& file : files_) std::filesystem::remove(file);
  }
  std::string file_of(const Certificate& certificate) {
    files_.push_back(std::filesystem::temp_directory_path() /
                     ("sendproof_ca_" + std::to_string(getpid()) + "_" +
                      std::to_string(files_.size()) + ".pem"));
    FILE* const file = std::fopen(files_.back().c_str(), "w");
    PEM_write_X509(file, certificate.x509);
    std::fclose(file);
    return files_.back();
  }
  // One mail to a server with this certificate.
  SendAnswer send_to(const Certificate& certificate, const std::string& ca_file) {
    httplib::SSLServer server(certificate.x509, certificate.key);
    server.Post("/send", [](const httplib::Request&, httplib::Response& response) {
      response.status = 200;
    });
    const int port = server.bind_to_any_port("127.0.0.1");
    std::thread serving([&] { server.listen_after_bind(); });
    while (!server.is_running()) std::this_thread::yield();
    SendAnswer answer;
    {
      const auto client = client_for(port, ca_file);
      answer = client->send(MemberId(7), "a@x.org");
    }
    server.stop();
    serving.join();
    return answer;
  }
  static std::unique_ptr<Provider> client_for(int port, const std::string& ca_file) {
    MailSettings settings;
    settings.url = {true, "127.0.0.1", port, "/send"};
    settings.campaign = settings.template_name = "spring";
    settings.ca_file = ca_file;
    settings.connect_timeout = settings.read_timeout = 60s;
    const MailClients clients(settings);
    EXPECT_EQ(clients.problem(), "");
    return clients.client();
  }

 private:
  std::vector<std::filesystem::path> files_;
};

constexpr long day_s = 86400;

TEST_F(MailClientTls, SendsWhenTheCertificateIsInTheFile) {
  Certificate certificate;
  make(certificate, "IP:127.0.0.1", -day_s, 2 * day_s);
  const SendAnswer answer = send_to(certificate, file_of(certificate));
  EXPECT_EQ(answer.transport, Transport::answered);
  EXPECT_EQ(answer.status, 200);
}

TEST_F(MailClientTls, ACertificateThatIsNotInTheFileIsUntrusted) {
  Certificate certificate, other;
  make(certificate, "IP:127.0.0.1", -day_s, 2 * day_s);
  make(other, "IP:127.0.0.1", -day_s, 2 * day_s);
  EXPECT_EQ(send_to(certificate, file_of(other)).transport, Transport::untrusted);
}

TEST_F(MailClientTls, ACertificateThatTheSystemDoesNotKnowIsUntrusted) {
  Certificate certificate;
  make(certificate, "IP:127.0.0.1", -day_s, 2 * day_s);
  EXPECT_EQ(send_to(certificate, "").transport, Transport::untrusted);
}

TEST_F(MailClientTls, ACertificateOfAnotherHostIsUntrusted) {
  for (const char* name : {"IP:127.0.0.2", "DNS:mail.example.com"}) {
    Certificate certificate;
    make(certificate, name, -day_s, 2 * day_s);
    EXPECT_EQ(send_to(certificate, file_of(certificate)).transport, Transport::untrusted) << name;
  }
}

TEST_F(MailClientTls, AnExpiredCertificateIsUntrusted) {
  Certificate certificate;
  make(certificate, "IP:127.0.0.1", -2 * day_s, day_s);
  EXPECT_EQ(send_to(certificate, file_of(certificate)).transport, Transport::untrusted);
}

TEST_F(MailClientTls, AServerThatSpeaksNoTlsGotNothing) {
  testing::RawServer server([](testing::Connection& connection) {
    connection.write("HTTP/1.1 400 Bad Request\r\n\r\n");
  });
  Certificate certificate;
  make(certificate, "IP:127.0.0.1", -day_s, 2 * day_s);
  EXPECT_EQ(client_for(server.port(), file_of(certificate))->send(MemberId(7), "a@x.org").transport,
            Transport::not_sent);
}

TEST_F(MailClientTls, AFileThatHoldsNoCertificateIsAProblem) {
  MailSettings settings;
  settings.url = {true, "127.0.0.1", 1, "/send"};
  settings.ca_file = "/nonexistent.pem";
  EXPECT_EQ(MailClients(settings).problem(),
            "MAIL_CA_FILE=/nonexistent.pem: can't be read as PEM certificates");
}

}  // namespace
}  // namespace core::http
